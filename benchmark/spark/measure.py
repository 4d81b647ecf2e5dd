#!/usr/bin/env python3
"""How long Spark takes to convert and to count a dump with the data source, without the start of Spark itself.

    pip install pyspark pyarrow pandas        # and Java 17
    QBSON="node bin/qbson.js" python3 benchmark/spark/measure.py orders.bson --column number --json

Each way is run three times, in turns, in one session; the medians are printed.
"""

import argparse
import importlib.util
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
sys.path.insert(0, os.path.join(ROOT, "spark"))


def module_at(path):
    spec = importlib.util.spec_from_file_location("measured", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    parser.add_argument("--column", default="_id", help="to count")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="also the way through lines of JSON, as examples/spark/dump-to-parquet.py")
    parser.add_argument("--option", action="append", default=[], help="of the data source: rangeSize=128MB")
    args = parser.parse_args()

    import qbson_spark
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.master(args.master).config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    qbson_spark.register(spark)
    spark.range(1000).selectExpr("sum(id)").collect()  # executors are there
    folder = tempfile.mkdtemp(prefix="qbson-spark-")
    dump = os.path.abspath(args.dump)
    options = dict(option.split("=", 1) for option in args.option)

    def load():
        return spark.read.format("qbson").options(**options).load(dump)

    def parquet():
        load().write.mode("overwrite").parquet(os.path.join(folder, "own"))

    def count():
        load().select(args.column).groupBy().agg({args.column: "count"}).collect()

    def count_with_schema(schema):
        def work():
            frame = spark.read.format("qbson").options(schema=schema, fields=args.column, **options).load(dump)
            frame.groupBy().agg({args.column: "count"}).collect()
        return work

    def json():
        example = module_at(os.path.join(ROOT, "examples", "spark", "dump-to-parquet.py"))
        ranges = example.splits(dump, "64MB")
        lines = spark.sparkContext.parallelize(ranges, max(1, len(ranges))).flatMap(example.lines_of(example.QBSON, dump, None))
        spark.read.json(lines).write.mode("overwrite").parquet(os.path.join(folder, "json"))

    command = shlex.split(os.environ.get("QBSON", "npx qbson"))
    schema = subprocess.run([*command, "schema", "--statistics", "--fields", args.column, dump], check=True, stdout=subprocess.PIPE, text=True).stdout
    ways = {"to Parquet, with the schema": parquet, f"count {args.column}, with the schema": count,
            f"count {args.column}, fields and schema given": count_with_schema(schema)}
    if args.json:
        ways["to Parquet, through JSON"] = json
    taken = {name: [] for name in ways}
    for _ in range(args.rounds):
        for name, work in ways.items():
            start = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - start)
    shutil.rmtree(folder)
    spark.stop()
    for name, seconds in taken.items():
        print(f"{statistics.median(seconds):6.1f} s  {name}  ({', '.join(f'{each:.1f}' for each in seconds)})")


if __name__ == "__main__":
    main()
