#!/usr/bin/env python3
"""Write test/fixtures/cross-encoder: a tiny cross-encoder in ONNX, and its scores as Python computes them.

    python3 -m venv env && env/bin/pip install onnx numpy safetensors onnxruntime tokenizers
    env/bin/python scripts/make-cross-encoder.py

The model is a BERT with two layers, a pooler and one label, as `BertForSequenceClassification` is exported, with weights drawn
by a seed: it is real in all but its judgment. expected.json has token ids and types of Hugging Face's tokenizers, pairs cut by
`longest_first`, and scores of onnxruntime, one pair at a time without padding.
"""
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from export_onnx import EMBEDDINGS, LAYER, build

out = Path(__file__).parent.parent / "test/fixtures/cross-encoder"
hidden, inner, limit = 16, 32, 24
words = "who wrote the author of dracula ulysses novel irish bram stoker james joyce is a city dublin was born in".split()
vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, *"?.,", *"abcdefghijklmnopqrstuvwxyz",
              *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
vocabulary = list(dict.fromkeys(vocabulary))
config = {
    "architectures": ["BertForSequenceClassification"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": hidden,
    "intermediate_size": inner, "num_attention_heads": 2, "num_hidden_layers": 2, "layer_norm_eps": 1e-12,
    "max_position_embeddings": limit, "type_vocab_size": 2, "vocab_size": len(vocabulary), "pad_token_id": 0,
    "id2label": {"0": "LABEL_0"},
}

random = np.random.default_rng(1)
draw = lambda *shape: random.normal(0, 0.5, shape).astype(np.float32)
sizes = {"word_embeddings": len(vocabulary), "position_embeddings": limit, "token_type_embeddings": 2}
tensors = {f"embeddings.{name}.weight": draw(sizes[name], hidden) for name in EMBEDDINGS}
tensors |= {"embeddings.LayerNorm.weight": 1 + draw(hidden), "embeddings.LayerNorm.bias": draw(hidden)}
for number in range(config["num_hidden_layers"]):
    for part in LAYER:
        name = f"encoder.layer.{number}.{part}"
        shape = {"intermediate.dense": (inner, hidden), "output.dense": (hidden, inner)}.get(part, (hidden, hidden))
        tensors[f"{name}.weight"] = 1 + draw(hidden) if part.endswith("LayerNorm") else draw(*shape)
        tensors[f"{name}.bias"] = draw(shape[0])

model = build(config, tensors)
graph = model.graph
weights = {"pooler_w": draw(hidden, hidden), "pooler_b": draw(hidden), "label_w": draw(hidden, 1), "label_b": draw(1)}
graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in weights.items())
graph.initializer.append(numpy_helper.from_array(np.array(0, np.int64), "first"))
graph.node.extend([
    helper.make_node("Gather", ["last_hidden_state", "first"], ["cls"], axis=1),
    helper.make_node("Gemm", ["cls", "pooler_w", "pooler_b"], ["pooled_flat"]),
    helper.make_node("Tanh", ["pooled_flat"], ["pooled"]),
    helper.make_node("Gemm", ["pooled", "label_w", "label_b"], ["logits"]),
])
del graph.output[:]
graph.output.append(helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["batch", 1]))
onnx.checker.check_model(model, full_check=True)

tokenizer = Tokenizer(models.WordPiece({token: id for id, token in enumerate(vocabulary)}, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
tokenizer.post_processor = processors.TemplateProcessing(
    single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])

(out / "onnx").mkdir(parents=True, exist_ok=True)
write = lambda name, content: (out / name).write_text(json.dumps(content, indent=1) + "\n", "utf-8")
write("config.json", config)
write("tokenizer_config.json", {"model_max_length": limit, "unk_token": "[UNK]", "pad_token": "[PAD]"})
write("tokenizer.json", json.loads(tokenizer.to_str()))
onnx.save(model, out / "onnx/model.onnx")

tokenizer.enable_truncation(limit, strategy="longest_first")
session = onnxruntime.InferenceSession(str(out / "onnx/model.onnx"))
long = "Ulysses is a novel of Dublin. " * 8
pairs = [(query, text) for query in ["Who wrote Dracula?", "Who?", long] for text in
         ["Dracula is a novel.", "Bram Stoker, the Irish author of Dracula, was born in Dublin.", "Joyce", long, " "]]
expected = []
for query, text in pairs:
    found = tokenizer.encode(query, text)
    feeds = {"input_ids": found.ids, "attention_mask": [1] * len(found.ids), "token_type_ids": found.type_ids}
    [[[score]]] = session.run(None, {name: np.array([values], np.int64) for name, values in feeds.items()})
    expected.append({"query": query, "text": text, "ids": found.ids, "types": found.type_ids, "score": float(score)})
(out / "expected.json").write_text("[\n" + ",\n".join(json.dumps(one) for one in expected) + "\n]\n", "utf-8")
