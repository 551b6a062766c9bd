"""The benchmark of labels: are names found that belong to one step?"""
