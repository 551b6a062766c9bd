"""What bounds a count on Spark, and which settings matter: seconds and shuffled bytes on this machine, one session.

    python measurements/spark_knobs.py FOLDER 1e7     # FOLDER as for measurements/engines.py

Each line is a setting, its seconds, the bytes written to the shuffle, and the ratio of its seconds to the first line's. The bytes come
from Spark's own event log. In the last lines one case holds a tenth of all events, and there are ten times as many activities.
"""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from event_files import write_events

from actalike.counting.windows import count_windows


def main(folder, events):
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    files = str(write_events(Path(folder) / str(events), events))
    history = tempfile.mkdtemp(prefix="spark-history-")
    settings = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "4g", "spark.log.level": "ERROR",
        "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{history}", "spark.eventLog.compress": "false",
        "spark.local.dir": folder,
    }  # fmt: skip
    builder = SparkSession.builder.master("local[2]").appName("knobs")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    plain = spark.read.parquet(files)
    skewed = plain.withColumn("case", F.when(F.col("case") % 10 == 0, F.lit(-1)).otherwise(F.col("case")))
    skewed = skewed.withColumn("tie", F.monotonically_increasing_id())
    varied = plain.withColumn("activity", F.concat("activity", F.lit(" "), (F.col("case") % 10).cast("string")))

    def count(frame, window, order=("time",)):
        return len(count_windows(frame, window, case="case", activity="activity", order=list(order)).counts)

    def labels(frame, window):
        """The same query on the labels themselves, and unchecked: what coding them saves."""
        left = (window - 1) // 2
        shifted = ", ".join(f"lag(activity, {-o}) OVER w AS w{o + left}" for o in range(-left, window - left))
        frame.createOrReplaceTempView("events")
        query = f"SELECT {shifted} FROM events WINDOW w AS (PARTITION BY case ORDER BY time)"
        places = ", ".join(f"w{place}" for place in range(window))
        return len(spark.sql(f"SELECT {places}, count(*) AS n FROM ({query}) GROUP BY {places}").toArrow())

    count(spark.read.parquet(files).limit(1000), 3)  # Java warms up
    runs = [
        ("window 3", {}, lambda: count(plain, 3)),
        ("window 9", {}, lambda: count(plain, 9)),
        ("window 3, 16 partitions", {"spark.sql.shuffle.partitions": "16"}, lambda: count(plain, 3)),
        ("window 3, 1,000 partitions", {"spark.sql.shuffle.partitions": "1000"}, lambda: count(plain, 3)),
        ("window 3, not adaptive", {"spark.sql.adaptive.enabled": "false"}, lambda: count(plain, 3)),
        ("window 3, bare query on labels", {}, lambda: labels(plain, 3)),
        ("window 3, a case with a tenth of all events", {}, lambda: count(skewed, 3, ("time", "tie"))),
        ("window 9, 420 activities", {}, lambda: count(varied, 9)),
    ]
    found = []
    for name, knobs, run in runs:
        for key, value in knobs.items():
            spark.conf.set(key, value)
        spark.sparkContext.setJobGroup(name, name)
        started = time.perf_counter()
        distinct = run()
        found.append((name, time.perf_counter() - started, distinct))
        for key in knobs:
            spark.conf.unset(key)
    spark.stop()
    shuffled = shuffled_bytes(history)
    shutil.rmtree(history)
    print(f"\n{events:,} events, local[2], 4 GB")
    print(f"{'':<46}{'seconds':>9}{'ratio':>7}{'M events/s':>12}{'shuffled bytes an event':>25}{'distinct windows':>18}")
    for name, seconds, distinct in found:
        print(f"{name:<46}{seconds:>9.1f}{seconds / found[0][1]:>7.2f}{events / seconds / 1e6:>12.2f}"
              f"{shuffled.get(name, 0) / events:>25.1f}{distinct:>18,}")  # fmt: skip


def shuffled_bytes(history):
    """By job group: the bytes that its tasks wrote to the shuffle."""
    group_of_stage, written = {}, {}
    for path in sorted(path for path in Path(history).rglob("*") if path.is_file() and path.suffix != ".crc"):
        for line in path.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                group = event["Properties"].get("spark.jobGroup.id")
                group_of_stage.update(dict.fromkeys(event["Stage IDs"], group))
            elif event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event:
                group = group_of_stage.get(event["Stage ID"])
                size = event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                written[group] = written.get(group, 0) + size
    return written


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], int(float(sys.argv[2])))
