#!/usr/bin/env python3
"""Write test/fixtures/headed-encoder: a tiny re-ranker as Sentence Transformers publishes Ettin's, and its scores in Python.

    python3 -m venv env && env/bin/pip install sentence-transformers==6.2.0 onnx onnxscript onnxruntime
    env/bin/python scripts/make-headed-encoder.py

A ModernBERT with two layers in ONNX, and behind it, each in its folder, pooling, Dense with GELU, LayerNorm and Dense. Weights are
drawn by a seed: it is real in all but its judgment. expected.json has scores of `CrossEncoder.predict`, one pair at a time.
"""
import json
import shutil
from pathlib import Path

import onnx
import torch
from sentence_transformers import CrossEncoder
from sentence_transformers.sentence_transformer.modules import Dense, LayerNorm, Pooling, Transformer
from transformers import ModernBertConfig, ModernBertModel

fixtures = Path(__file__).parent.parent / "test/fixtures"
out, base = fixtures / "headed-encoder", fixtures / "headed-encoder/base"
shutil.rmtree(out, ignore_errors=True)
base.mkdir(parents=True)
torch.manual_seed(1)
hidden = 16

# The words of the other tiny cross-encoder.
for name in ("tokenizer.json", "tokenizer_config.json"):
    shutil.copy(fixtures / "cross-encoder" / name, base / name)
words = json.loads((base / "tokenizer.json").read_text())["model"]["vocab"]
config = ModernBertConfig(
    vocab_size=len(words), hidden_size=hidden, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
    max_position_embeddings=24, local_attention=8, pad_token_id=0, cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3,
    initializer_range=0.6, attn_implementation="eager")
encoder = ModernBertModel(config).eval()
encoder.save_pretrained(base)

modules = [
    Transformer(str(base)),
    Pooling(hidden, pooling_mode="cls"),
    Dense(hidden, hidden, bias=False, activation_function=torch.nn.GELU()),
    LayerNorm(hidden),
    Dense(hidden, 1, activation_function=torch.nn.Identity(), module_output_name="scores"),
]
with torch.no_grad():
    modules[3].norm.weight.normal_(1, 0.3)
    modules[3].norm.bias.normal_(0, 0.3)
model = CrossEncoder(modules=modules, activation_fn=torch.nn.Identity())
model.save(str(out))
shutil.rmtree(base)

(out / "onnx").mkdir()
ids = torch.tensor([[2, 5, 6, 3], [2, 5, 3, 0]])
dynamic = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length")}
torch.onnx.export(
    encoder, (), out / "onnx/model.onnx", kwargs={"input_ids": ids, "attention_mask": (ids != 0).long()},
    input_names=["input_ids", "attention_mask"], output_names=["last_hidden_state"],
    dynamic_shapes={"input_ids": dynamic, "attention_mask": dynamic}, dynamo=True, external_data=False, verbose=False)
exported = onnx.load(out / "onnx/model.onnx")
del exported.metadata_props[:]
for node in exported.graph.node:  # four fifths of the file say where in the source a node comes from
    del node.metadata_props[:]
onnx.save(exported, out / "onnx/model.onnx")
for name in ("README.md", "model.safetensors"):
    (out / name).unlink()

pairs = [(query, text) for query in ["Who wrote Dracula?", "Who?"] for text in
         ["Dracula is a novel.", "Bram Stoker, the Irish author of Dracula, was born in Dublin.", "Joyce", "Ulysses is a novel"]]
expected = [{"query": query, "text": text, "score": float(model.predict([(query, text)])[0])} for query, text in pairs]
(out / "expected.json").write_text("[\n" + ",\n".join(json.dumps(one) for one in expected) + "\n]\n", "utf-8")
