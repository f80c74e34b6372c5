"""openvino-tokenizers: a transformers tokenizer converted to OpenVINO models, run on the processor."""

from __future__ import annotations

from typing import Any, List, Sequence

from ._packages import PackageEngine, integers, module, open_package, read_json

NAME = "openvino"
HELP = (
    "openvino-tokenizers: a tokenizer.json converted to OpenVINO (packages openvino-tokenizers, transformers)"
)
DISTRIBUTIONS = ("openvino-tokenizers", "openvino", "transformers")
NATIVE = True
IN_PROCESS = True


def open_engine(argument: str) -> PackageEngine:
    """The installed wheels. Raises UnavailableError."""
    return open_package(NAME, argument, DISTRIBUTIONS, Loaded)


class Loaded:
    """Two models: text to ids without special tokens, and ids to text with them."""

    def __init__(self, path: str) -> None:
        read_json(path)
        fast = module("transformers").PreTrainedTokenizerFast(tokenizer_file=path)
        convert = module("openvino_tokenizers").convert_tokenizer
        models = convert(fast, with_detokenizer=True, add_special_tokens=False, skip_special_tokens=False)
        self.to_ids, self.to_text = (self._compiled(model) for model in models)

    @staticmethod
    def _compiled(model: Any) -> Any:
        return module("openvino").Core().compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1})

    def encode(self, text: str) -> List[int]:
        return integers(self.to_ids([text])["input_ids"][0])

    def decode(self, ids: Sequence[int]) -> str:
        numpy = module("numpy")
        return str(self.to_text(numpy.array([ids], dtype=numpy.int64))["string_output"][0])
