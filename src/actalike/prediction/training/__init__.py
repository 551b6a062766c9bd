"""Train next-activity models, many at a time. This folder needs numpy and torch alone, and can be run by itself:

python -m training DIR [--device cuda]     with this folder's parent on the path: trains what a prepared folder still lacks
"""
