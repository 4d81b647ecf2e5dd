#!/usr/bin/env python3
"""A .bson file to a table of Parquet files, for Spark 3: by lines of JSON. Spark 4 has the data source in spark/."""

import argparse
import os
import shlex
import subprocess

QBSON = shlex.split(os.environ.get('QBSON', 'npx qbson'))


def splits(file, size):
    """Ranges that begin and end between documents, as OFFSET:LENGTH."""
    return subprocess.run([*QBSON, 'split', file, '--size', size], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def lines_of(qbson, file, fields):
    """What a task does with its range: the documents as lines of JSON."""
    def lines(span):
        command = [*qbson, 'print', '--range', span, '--to', 'json', '--workers', '1', *(['--fields', fields] if fields else []), file]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding='utf-8') as process:
            for line in process.stdout:
                yield line.rstrip('\n')
        if process.returncode != 0:  # Spark tries the task again, and forgets what it gave
            raise RuntimeError(f'{shlex.join(command)} ended with {process.returncode}')
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('file')
    parser.add_argument('table', help='a folder of Parquet files; an older one is replaced')
    parser.add_argument('--master', help='as spark-submit has it')
    parser.add_argument('--size', default='128MB', help='of a partition')
    parser.add_argument('--fields', help='only these, as in a,b.c')
    args = parser.parse_args()

    from pyspark.sql import SparkSession
    builder = SparkSession.builder.appName('dump to Parquet')
    spark = (builder.master(args.master) if args.master else builder).getOrCreate()
    file = os.path.abspath(args.file)  # executors run in another folder
    ranges = splits(file, args.size)
    lines = spark.sparkContext.parallelize(ranges, max(1, len(ranges))).flatMap(lines_of(QBSON, file, args.fields))
    table = spark.read.json(lines)  # reads all lines for the types; with .schema(...) once only
    table.write.mode('overwrite').parquet(args.table)
    print(f'{spark.read.parquet(args.table).count()} rows in {len(ranges)} partitions: {", ".join(table.columns)}')
    spark.stop()


if __name__ == '__main__':
    main()
