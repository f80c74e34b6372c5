#!/bin/bash -eu
# Builds every target of fuzz/ into $OUT, as OSS-Fuzz and ClusterFuzzLite want them: a program, a seed corpus,
# and libFuzzer's options for each. Where their own tool for Python is not there, a launcher takes its place.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
: "${OUT:?the folder that the targets go to}"
python=${PYTHON:-python3}

launch() { # launch NAME: a program that runs a target from the packages in $OUT/lib
  cat > "$OUT/$1" <<LAUNCHER
#!/bin/bash
# LLVMFuzzerTestOneInput is what fuzzing infrastructure looks for in a target.
here=\$(cd "\$(dirname "\${BASH_SOURCE[0]}")" && pwd)
export PYTHONPATH="\$here/lib" RUST_BACKTRACE=0 TOKENIZERS_PARALLELISM=false
exec "\${PYTHON:-$python}" "\$here/lib/tokassay/_data/fuzz/$1.py" "\$@"
LAUNCHER
  chmod +x "$OUT/$1"
}

if ! command -v compile_python_fuzzer > /dev/null; then
  "$python" -m pip install --quiet --target "$OUT/lib" ".[fuzz]"
else
  "$python" -m pip install --quiet ".[fuzz]"
fi
for path in fuzz/*.py; do
  name=$(basename "$path" .py)
  if command -v compile_python_fuzzer > /dev/null; then
    compile_python_fuzzer "$path" --collect-all tokassay --collect-all tokenizers --collect-all jinja2
  else
    launch "$name"
  fi
  PYTHONPATH="${OUT}/lib" "$python" fuzz/cluster/seed_corpus.py "$path" "$OUT/${name}_seed_corpus.zip"
  printf '[libfuzzer]\nmax_len = 4096\ntimeout = 25\n' > "$OUT/$name.options"
done
