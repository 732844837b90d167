/**
 * A module for `node --import`. The module counts the calls with which a process changes the disk, and stops the
 * process at one of these calls.
 *
 * TUTTI_STOP_AT is the number of that call, from 1. Only calls on files in TUTTI_STOP_FOLDER count. TUTTI_STOP_HOW has
 * one of these values:
 *
 * - `kill`: the process is killed before the call.
 * - `half`: the process is killed half-way through a write; only writes count.
 * - `cut`: simulates a power failure. Before the process is killed, unsynced changes of files and of the folder are
 *   undone.
 * - `lose`: like `cut`, but all changes of the folder remain.
 * - `pause`: the process prints the call's name to its standard output, and continues once its standard input ends.
 *
 * With `TUTTI_STOP_LINKS=none`, linkSync fails as if the file system had no hard links.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve } from 'node:path';

const { TUTTI_STOP_AT, TUTTI_STOP_HOW: how, TUTTI_STOP_FOLDER: folder } = process.env;
const losing = how === 'cut' || how === 'lose';
const real = { ...fs };
let calls = 0;

/** Paths of open files. */
const paths = new Map();
/** Content of each file at its last sync, by inode, with a descriptor for restoring the content. */
const unsynced = new Map();
/** Functions that undo the folder's unsynced changes, the latest change first. */
const undo = [];
let saved = 0;

const isInside = (path) => typeof path === 'string' && resolve(path).startsWith(`${folder}/`);
/** Gives a file that is about to be removed a second name outside the folder. */
const keep = (path) => {
  if (how !== 'cut' || !real.existsSync(path)) return undefined;
  const name = join(`${folder}.saved`, `${process.pid}-${saved++}`);
  real.linkSync(path, name);
  return name;
};

function before(name, half) {
  if (how === 'half' && half === undefined) return;
  if (++calls !== Number(TUTTI_STOP_AT)) return;
  if (how === 'pause') {
    real.writeSync(1, `${name}\n`);
    real.readSync(0, Buffer.alloc(1));
    return;
  }
  if (how === 'half') half();
  if (losing) {
    for (const { file, content } of unsynced.values()) {
      real.ftruncateSync(file);
      real.writeSync(file, content, 0, content.length, 0);
    }
    if (how === 'cut') for (const back of undo.reverse()) back();
  }
  process.kill(process.pid, 'SIGKILL');
}

/** Stores a file's content before the first write since the last sync. */
function willWrite(path) {
  if (!losing) return;
  const file = real.openSync(path, 'r+');
  const { ino } = real.fstatSync(file);
  if (unsynced.has(ino)) real.closeSync(file);
  else unsynced.set(ino, { file, content: real.readFileSync(path) });
}

function created(path) {
  undo.push(() => real.rmSync(path, { force: true }));
}

fs.openSync = (path, flags, ...rest) => {
  const isNew = isInside(path) && typeof flags === 'string' && /[wa]/.test(flags) && !real.existsSync(path);
  if (isNew) before('openSync');
  const file = real.openSync(path, flags, ...rest);
  if (isInside(path) || path === folder) paths.set(file, resolve(path));
  if (isNew) created(path);
  return file;
};
fs.closeSync = (file) => {
  paths.delete(file);
  real.closeSync(file);
};
fs.writeFileSync = (to, data, ...rest) => {
  const path = typeof to === 'number' ? paths.get(to) : to;
  if (!isInside(path)) return real.writeFileSync(to, data, ...rest);
  before('writeFileSync', () => real.writeFileSync(to, data.slice(0, data.length / 2), ...rest));
  if (typeof to === 'number') {
    willWrite(path);
    real.writeFileSync(to, data, ...rest);
    return;
  }
  created(path);
  real.writeFileSync(path, '', ...rest);
  willWrite(path);
  real.writeFileSync(path, data);
};
fs.writeSync = (file, data, at, length, position) => {
  const path = paths.get(file);
  if (path === undefined) return real.writeSync(file, data, at, length, position);
  before('writeSync', () => real.writeSync(file, data, at, length >> 1, position));
  // The file may no longer have a name, so it is addressed by its descriptor.
  willWrite(`/proc/self/fd/${file}`);
  return real.writeSync(file, data, at, length, position);
};
fs.fsyncSync = (file) => {
  const path = paths.get(file);
  if (path !== undefined) before('fsyncSync');
  real.fsyncSync(file);
  if (path === folder) undo.length = 0;
  unsynced.delete(real.fstatSync(file).ino);
};
fs.linkSync = (from, to) => {
  if (isInside(to)) {
    before('linkSync');
    if (process.env.TUTTI_STOP_LINKS === 'none') throw Object.assign(new Error('no links'), { code: 'EPERM' });
  }
  real.linkSync(from, to);
  if (isInside(to)) created(to);
};
fs.renameSync = (from, to) => {
  if (!isInside(to)) return real.renameSync(from, to);
  before('renameSync');
  const replaced = keep(to);
  real.renameSync(from, to);
  undo.push(() => {
    real.renameSync(to, from);
    if (replaced !== undefined) real.renameSync(replaced, to);
  });
};
fs.rmSync = (path, ...rest) => {
  if (!isInside(path) || !real.existsSync(path)) return real.rmSync(path, ...rest);
  before('rmSync');
  const removed = keep(path);
  real.rmSync(path, ...rest);
  undo.push(() => real.renameSync(removed, path));
};
syncBuiltinESMExports();
