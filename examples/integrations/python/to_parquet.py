"""A file of `querent export` as parquet: python to_parquet.py train.json train.parquet (needs pyarrow).

verl reads what is exported `--to verl` either way, and what is exported `--to sft` as parquet alone.
"""

import json
import sys

import pyarrow
import pyarrow.parquet


def main(source, target):
    with open(source, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, target)
    print(f"{target}: {table.num_rows} rows, {', '.join(table.column_names)}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
