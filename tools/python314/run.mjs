// Runs a Python script in CPython 3.14: node run.mjs script.py args...
// The host's folders are mounted under their own paths, so a script sees the same files as
// any installed interpreter would; output, exit code, sys.argv and PYTHONPATH pass through.
import { readdirSync, statSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { loadPyodide } from "pyodide";

// Folders the WebAssembly system needs for itself: the host's must not hide them.
const OWN_FOLDERS = new Set(["dev", "proc", "sys", "lib"]);

const START = `
import os, runpy, sys, traceback
sys.argv = list(host_argv)
os.chdir(host_cwd)
os.environ.update(host_env.to_py())
sys.path[:0] = [os.path.dirname(os.path.abspath(sys.argv[0])), *host_pythonpath]

def run():
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

status = run()
sys.stdout.flush()
sys.stderr.flush()
status
`;

function mountHostFolders(python) {
  for (const name of readdirSync("/")) {
    const path = `/${name}`;
    if (OWN_FOLDERS.has(name) || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    python.FS.mkdirTree(path);
    python.FS.mount(python.FS.filesystems.NODEFS, { root: path }, path);
  }
}

// Pipes may take fewer bytes than offered, or none for a moment.
function writeAll(descriptor, bytes) {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
  return bytes.length;
}

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) {
  console.error("usage: node run.mjs script.py [arguments...]");
  process.exit(2);
}

const python = await loadPyodide({ fullStdLib: false });
mountHostFolders(python);
python.setStdout({ write: (bytes) => writeAll(1, bytes) });
python.setStderr({ write: (bytes) => writeAll(2, bytes) });
const passed = Object.entries(process.env).filter(([name]) => /^(PYTHON|DEPYF)/.test(name));
python.globals.set("host_argv", [resolve(script), ...rest]);
python.globals.set("host_cwd", process.cwd());
python.globals.set("host_env", Object.fromEntries(passed));
python.globals.set(
  "host_pythonpath",
  (process.env.PYTHONPATH ?? "").split(":").filter(Boolean).map((path) => resolve(path)),
);
process.exit(python.runPython(START));
