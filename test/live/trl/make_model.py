"""Writes a model with random weights where its name would be looked for: python make_model.py <folder>"""

import sys

folder = sys.argv[1]
sys.argv[1] = '{"data": ""}'

from train import model_for, tokenizer_for

tokenizer, _ = tokenizer_for(["where is the stadium of arlow"])
tokenizer.save_pretrained(folder)
model_for(tokenizer).save_pretrained(folder)
