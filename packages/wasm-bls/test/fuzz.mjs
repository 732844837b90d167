/**
 * Tests the kernel with unusual random inputs: encodings of points, and elements of the field. The kernel must not
 * trap, and its results must equal those of noble-curves and of big integers.
 *
 *     npm run fuzz -w @tutti/wasm-bls -- [--inputs 100000] [--seed 1] [--compared 10] [--chromium]
 *         [--arithmetic scalar|simd|wide|upstream] [--variant min-pk|min-sig]
 *
 * The script prints a line per 100,000 inputs, whose seed is one more than that of the previous line. --chromium runs
 * the inputs in a page of Chromium, which supports every kernel. Node 20 requires --experimental-wasm-relaxed-simd for
 * SIMD, as an argument of node and not in NODE_OPTIONS. noble-curves takes milliseconds per point, so it decodes only
 * the inputs that the kernel accepts, and one in `--compared` of the others.
 */
import assert from 'node:assert/strict';

/** Kinds of encodings: the length in bytes, and the method of a Bls that decodes the encoding. */
const kindsOf = {
  publicKey: { length: (bls) => bls.publicKeyBytes, decode: (bls, bytes) => bls.decodePublicKey(bytes) },
  signature: { length: (bls) => bls.signatureBytes, decode: (bls, bytes) => bls.decodeSignature(bytes) },
  uncompressed: {
    length: (bls) => bls.signaturePointBytes,
    decode: (bls, bytes) => bls.decodeSignature(bytes, 'uncompressed'),
  },
};
const kinds = Object.keys(kindsOf);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a generator of uniform integers of 32 bits: xorshift128 with this seed. */
export function drawing(seed) {
  let [x, y, z, w] = [seed ^ 0x9e37_79b9, 362_436_069, 521_288_629, 88_675_123];
  return () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return w >>> 0;
  };
}

/**
 * Tests a number of inputs.
 *
 * @param kernel - the kernel's Bls; `noble` is that of noble-curves.
 * @param field - checks one pair of elements of the field, made of random integers of 32 bits. It throws an error if
 *   the kernel is wrong.
 * @returns {Record<string, number>} number of accepted inputs, and number of rejected inputs by code.
 * @throws AssertionError with the input for which the results differ.
 */
export function fuzz({ kernel, noble, field, inputs, seed, compared }) {
  const draw = drawing(seed);
  const valid = validEncodings(kernel);
  const answers = {};
  // Valid encodings repeat; noble-curves decodes each only once.
  const agreed = new Set();
  for (let i = 0; i < inputs; i++) {
    if (i % 4 === 0) {
      field(draw);
      continue;
    }
    const kind = kinds[draw() % kinds.length];
    const { decode } = kindsOf[kind];
    const bytes = strange(kind, kindsOf[kind].length(kernel), valid[kind], draw);
    const encoding = `${kind}(${hex(bytes)})`;
    const shown = `input ${i} of seed ${seed}, ${encoding}`;
    let answer;
    try {
      answer = decode(kernel, bytes);
    } catch (cause) {
      throw new Error(`${shown}: trapped`, { cause });
    }
    if (answer.ok ? !agreed.has(encoding) : i % compared === 1 % compared)
      assert.deepEqual(answer, decode(noble, bytes), shown);
    if (answer.ok) agreed.add(encoding);
    const said = answer.ok ? 'accepted' : answer.code;
    answers[said] = (answers[said] ?? 0) + 1;
  }
  return answers;
}

function validEncodings(bls) {
  const secretKeys = Array.from({ length: 8 }, (_, i) => bls.keyGen(new Uint8Array(32).fill(i)));
  return {
    publicKey: secretKeys.map((key) => bls.publicKey(key)),
    signature: secretKeys.map((key) => bls.sign(key, key)),
    uncompressed: secretKeys.map((key) => bls.decodeSignature(bls.sign(key, key)).point),
  };
}

/** Returns an encoding of a kind: random bytes, or a valid encoding with a small change. */
function strange(kind, length, valid, draw) {
  const random = () => Uint8Array.from({ length }, () => draw() >>> 24);
  const flags = [0x80, 0xa0, 0xc0, 0xe0, 0x00, 0x20, 0x40][draw() % 7];
  const usual = kind === 'uncompressed' ? 0 : 0x80 | (flags & 0x20);
  const known = valid[draw() % valid.length].slice();
  switch (draw() % 8) {
    case 0:
      return random().subarray(0, draw() % (length + 1));
    case 1:
      known[draw() % length] ^= 1 << (draw() % 8);
      return known;
    case 2:
      known[0] ^= 0x20;
      return known;
    case 3:
      return known;
    case 4: {
      // A coordinate near an end of the range, or zero.
      const bytes = new Uint8Array(length).fill([0, 0xff][draw() % 2]);
      bytes[length - 1] = draw();
      bytes[0] = flags | (bytes[0] & 0x1f);
      return bytes;
    }
    default: {
      const bytes = random();
      bytes[0] = (draw() % 4 === 0 ? flags : usual) | ((bytes[0] & 0x1f) % 0x1a);
      return bytes;
    }
  }
}

async function main(args) {
  const { parseArgs } = await import('node:util');
  const text = (otherwise) => ({ type: 'string', default: otherwise });
  const { values } = parseArgs({
    args,
    options: {
      inputs: text('100000'),
      seed: text('1'),
      compared: text('10'),
      arithmetic: text('scalar'),
      variant: text('min-pk'),
      chromium: { type: 'boolean', default: false },
    },
  });
  const { arithmetic, variant, chromium } = values;
  const [inputs, seed, compared] = ['inputs', 'seed', 'compared'].map((name) => {
    const value = Number(values[name]);
    if (Number.isSafeInteger(value) && value >= 1) return value;
    throw new RangeError(`--${name}: expected an integer of 1 or more, got ${values[name]}`);
  });
  const rounds = async (run) => {
    for (let done = 0; done < inputs; done += 100_000) {
      const round = { inputs: Math.min(100_000, inputs - done), seed: seed + done / 100_000, compared };
      console.log(JSON.stringify({ arithmetic, variant, ...round, ...(await run({ ...round, arithmetic, variant })) }));
    }
  };
  if (!chromium) return rounds(fuzzOne);
  const { withPages, packageRoot } = await import('./pages.mjs');
  return withPages(async (open) => {
    const page = await open();
    await rounds((round) =>
      page.evaluate(
        async ([module, round]) => (await import(module)).fuzzOne(round),
        [`${packageRoot}/test/fuzz.mjs`, round],
      ),
    );
  });
}

/** Runs {@link fuzz} on a kernel that is loaded by its name, in any environment in which this module runs. */
export async function fuzzOne({ arithmetic, variant, ...asked }) {
  const [{ loadBls }, { fieldCheck }] = await Promise.all([import('@tutti/wasm-bls'), import('./field.mjs')]);
  const [kernel, noble] = [await loadBls({ arithmetic, variant }), await loadBls({ engine: 'noble', variant })];
  return fuzz({ kernel, noble, field: fieldCheck, ...asked });
}

if (globalThis.process?.argv[1]?.endsWith('fuzz.mjs')) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
