import { levelCount, Tree } from '@tutti/core';
import { expected, requireBytes } from '@tutti/core/input';
import { type Column, type ColumnCode, decodeColumn, encodeColumn } from './columnCode.ts';
import {
  LineKind,
  NodeRole,
  type RecordedLines,
  type RecordedWorld,
  type Recording,
  requireRecording,
} from './recording.ts';
import { type ColumnHeader, type RecordingHeader, readHeader, writeHeader } from './recordingHeader.ts';

/** "TUTTIREC" in ASCII. */
const magic = [0x54, 0x55, 0x54, 0x54, 0x49, 0x52, 0x45, 0x43] as const;
/**
 * Version of the format. The version is raised if a reader of the previous version would misread a file. Files in
 * format 1, which has no checksum, are still readable.
 */
const formatVersion = 2;
const formatWithoutChecksum = 1;
/** Length of the CRC-32 of all preceding bytes, in bytes. */
const checksumBytes = 4;
/** Total length of the magic, the version and the header-length field, bytes. */
const prefixBytes = 16;
/**
 * Maximum length of a header, bytes. A header takes 2 KiB, and more with a list of weights or of a fault's nodes. A file
 * that declares a longer header is not a recording.
 */
const maxHeaderBytes = 2 ** 25;

/** Columns with one entry per line. The time column comes first, since it is needed to decode other columns. */
const lineColumns = {
  timeUs: 'ascending',
  kind: 'bytes',
  node: 'signed',
  peer: 'signed',
  level: 'bytes',
  value: 'signed',
  untilUs: 'after',
  set: 'places',
} as const satisfies Partial<Record<keyof RecordedLines, ColumnCode>>;

/** World in which the roles have the name that files use. */
type StoredWorld = Omit<RecordedWorld, 'role'> & { readonly alive: RecordedWorld['role'] };

/** Columns with one entry per node. */
const nodeColumns = {
  alive: 'bytes',
  startUs: 'signed',
  region: 'bytes',
  cpuFactor: 'floats',
} as const satisfies Partial<Record<keyof StoredWorld, ColumnCode>>;

const columnCodes = { ...lineColumns, words: 'words', ...nodeColumns } as const;
type ColumnName = keyof typeof columnCodes;
type RecordedColumns = Pick<RecordedLines & StoredWorld, ColumnName>;

const noTimes = new Int32Array(0);

/** Columns of a file, in order. */
const fileColumns = Object.entries(columnCodes) as [ColumnName, ColumnCode][];

/**
 * Encodes a recording as a file, so that it can be viewed elsewhere or later. The parts of the file are:
 *
 * - 8 bytes: "TUTTIREC"
 * - 4 bytes: version of the format, 2
 * - 4 bytes: length of the header
 * - header: JSON in ASCII with the scenario, the result, the world, whether sends are kept, and for each column its
 *   name, code, number of entries and length in bytes
 * - columns: one after another, encoded as described for `ColumnCode`
 * - 4 bytes: CRC-32 of all preceding bytes
 *
 * Numbers are little-endian on every machine. A line takes about 12 bytes, or 4.5 with gzip, which the caller may apply
 * (docs/reference/recording-format.md has sizes). Unknown columns are not written.
 *
 * @throws RangeError for a recording whose lines are not in order of time, or end before they begin, or whose scenario
 * is longer than 32 MiB.
 */
export function encodeRecording(recording: Recording): Uint8Array<ArrayBuffer> {
  requireRecording(recording);
  const all = { ...recording.world, alive: recording.world.role, ...recording };
  const columns: ColumnHeader[] = [];
  const parts: Uint8Array[] = [];
  for (const [name, code] of fileColumns) {
    const column: Column = all[name];
    const bytes = encodeColumn(name, code, column, recording.timeUs);
    columns.push({ name, code, count: column.length, bytes: bytes.length });
    parts.push(bytes);
  }
  const header = writeHeader(recording, columns);
  if (header.length > maxHeaderBytes)
    throw new RangeError(expected('scenario', `a header of at most ${maxHeaderBytes} bytes`, header.length));
  const file = new Uint8Array(
    parts.reduce((sum, part) => sum + part.length, prefixBytes + header.length + checksumBytes),
  );
  file.set(magic);
  const view = new DataView(file.buffer);
  view.setUint32(8, formatVersion, true);
  view.setUint32(12, header.length, true);
  let at = prefixBytes;
  for (const part of [header, ...parts]) {
    file.set(part, at);
    at += part.length;
  }
  view.setUint32(at, crc32(file.subarray(0, at)), true);
  return file;
}

/**
 * Returns the maximum length of a compressed recording's content, so that a small file cannot fill a reader's memory. A
 * recording shrinks to about a third (docs/reference/recording-format.md).
 *
 * @param compressedBytes length of the compressed file, bytes.
 * @returns bytes.
 */
export function maxRecordingBytes(compressedBytes: number): number {
  return Math.min(2 ** 31, 2 ** 24 + 32 * compressedBytes);
}

/**
 * Reads a file written by {@link encodeRecording}. A file is untrusted: all data that views rely on is checked, and
 * memory is limited to a small multiple of the file's length.
 *
 * @throws RangeError with one line for anything that is not a complete recording.
 */
export function decodeRecording(bytes: Uint8Array): Recording {
  requireBytes('recording', bytes);
  if (bytes.length < prefixBytes || magic.some((byte, at) => bytes[at] !== byte)) {
    throw new RangeError(expected('recording', 'a file that begins with TUTTIREC', `${bytes.length} other bytes`));
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== formatVersion && version !== formatWithoutChecksum)
    throw new RangeError(expected('recording', `format ${formatWithoutChecksum} or ${formatVersion}`, version));
  const headerBytes = view.getUint32(12, true);
  const start = prefixBytes + headerBytes;
  if (headerBytes > maxHeaderBytes || start > bytes.length) {
    throw new RangeError(expected('recording', 'a whole header', `${bytes.length} bytes in all`));
  }
  const header = readHeader(bytes.subarray(prefixBytes, start));
  const end = header.columns.reduce((sum, column) => sum + column.bytes, start);
  const whole = end + (version === formatVersion ? checksumBytes : 0);
  if (whole !== bytes.length) throw new RangeError(expected('recording', `${whole} bytes in all`, bytes.length));
  if (version === formatVersion) {
    const [stated, found] = [view.getUint32(end, true), crc32(bytes.subarray(0, end))];
    if (stated !== found) throw new RangeError(expected('recording', `bytes of CRC-32 ${hex(stated)}`, hex(found)));
  }
  const { scenario, length, sends } = header;
  const { alive: role, startUs, region, cpuFactor, ...lines } = readColumns(header, bytes.subarray(start, end));
  const levels = levelCount(scenario.nodes, scenario.branching);
  const world = { nodes: scenario.nodes, levels, ...header.world, role, startUs, region, cpuFactor };
  const recording = { scenario, result: { scenario, ...header.result }, world, sends, ...lines, length };
  validateWorld(world);
  validateLines(recording);
  return recording;
}

/** Decodes all columns of a file. @param bytes the columns, one after another. */
function readColumns({ scenario, length, columns }: RecordingHeader, bytes: Uint8Array): RecordedColumns {
  const decoded: Partial<Record<ColumnName, Column>> = {};
  let at = 0;
  for (const [which, [name, code]] of fileColumns.entries()) {
    const column = columns[which];
    if (column?.name !== name || column.code !== code) {
      throw new RangeError(expected(`columns[${which}]`, `${name} as ${code}`, `${column?.name} as ${column?.code}`));
    }
    const count = name === 'words' ? column.count : name in nodeColumns ? scenario.nodes : length;
    if (column.count !== count) throw new RangeError(expected(name, `${count} entries`, column.count));
    const timeUs = (decoded.timeUs ?? noTimes) as Int32Array;
    decoded[name] = decodeColumn(name, code, count, bytes.subarray(at, at + column.bytes), timeUs);
    at += column.bytes;
  }
  if (columns.length !== fileColumns.length) {
    throw new RangeError(expected('columns', `${fileColumns.length}`, columns.length));
  }
  return decoded as RecordedColumns;
}

function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** Checks the columns of the nodes. */
function validateWorld({ nodes, role, startUs, region, regionNames, cpuFactor }: RecordedWorld): void {
  for (let id = 0; id < nodes; id++) {
    if (role[id]! > NodeRole.byzantine) throw new RangeError(expected('alive', '0 to 2', role[id]));
    if (startUs[id]! < -1) throw new RangeError(expected('startUs', 'at least -1', startUs[id]));
    if (region[id]! >= regionNames.length) {
      throw new RangeError(expected('region', `under ${regionNames.length}`, region[id]));
    }
    if (!(cpuFactor[id]! > 0 && cpuFactor[id]! < 1e6)) {
      throw new RangeError(expected('cpuFactor', 'a number greater than 0 and less than a million', cpuFactor[id]));
    }
  }
}

const lastKind = Math.max(...Object.values(LineKind));
/** Highest level that a message of a run can name. */
const maxLevel = 31;

/** Checks the columns of the lines. */
function validateLines({ scenario, world, length, kind, node, peer, level, set, words }: Recording): void {
  const { nodes, levels } = world;
  const tree = new Tree(nodes, scenario.tree, scenario.branching);
  for (let line = 0; line < length; line++) {
    if (kind[line]! > lastKind) throw new RangeError(expected('kind', `0 to ${lastKind}`, kind[line]));
    if (node[line]! < 0 || node[line]! >= nodes)
      throw new RangeError(expected('node', `0 to ${nodes - 1}`, node[line]));
    const firstPeer = kind[line] === LineKind.send ? 0 : -1;
    if (peer[line]! < firstPeer || peer[line]! >= nodes)
      throw new RangeError(expected('peer', `${firstPeer} to ${nodes - 1}`, peer[line]));
    const isImprove = kind[line] === LineKind.improve;
    // A Byzantine node may send on a level that does not exist, and the receiver may reject the message.
    const isClaim = kind[line] === LineKind.send || kind[line] === LineKind.refuse;
    const [lowest, highest] = [isImprove ? 1 : 0, isClaim ? maxLevel : levels];
    if (level[line]! < lowest || level[line]! > highest)
      throw new RangeError(expected('level', `${lowest} to ${highest}`, level[line]));
    const start = set[line]!;
    if (start === -1) continue;
    const size = isImprove ? tree.size(tree.peerBlock(node[line]!, level[line]!)) : Number.NaN;
    if (!(start + Math.ceil(size / 32) <= words.length)) {
      throw new RangeError(expected('set', `an improve line whose set is one of the ${words.length} words`, start));
    }
  }
}

/** CRC of each byte, using the reversed polynomial of IEEE 802.3. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/**
 * Returns the CRC-32, as in gzip (RFC 1952, section 8). The CRC-32 detects accidental damage, but not deliberate
 * changes.
 *
 * @returns an unsigned 32-bit integer.
 */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) rest = crcTable[(rest ^ bytes[at]!) & 0xff]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
