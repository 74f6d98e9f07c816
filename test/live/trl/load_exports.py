"""Reads exports as the trainers do, and prints what it found as JSON: python load_exports.py <folder>."""

import json
import os
import sys

os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=os.path.join(sys.argv[1], "hub"))

import pandas
from datasets import load_dataset


def described(dataset):
    return {"columns": dataset.column_names, "rows": dataset.num_rows, "first": dataset[0], "last": dataset[-1]}


def main(folder):
    def path(name):
        return os.path.join(folder, name)

    found = {
        name: described(load_dataset("json", data_files=path(f"{name}.json"), split="train"))
        for name in ("verl", "trl", "openrlhf", "sft")
    }
    found["parquet"] = described(load_dataset("parquet", data_files=path("verl.parquet"), split="train"))
    # As verl's MultiTurnSFTDataset reads it.
    chats = pandas.read_parquet(path("sft.parquet"), dtype_backend="pyarrow")
    found["verl sft"] = {"columns": list(chats.columns), "rows": len(chats)}
    # As slime/utils/data.py reads it.
    frame = pandas.read_json(path("slime.jsonl"), lines=True, dtype={"label": str})
    found["slime"] = {"columns": list(frame.columns), "rows": len(frame), "first": frame.iloc[0].to_dict()}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
