/** The contract of `examples/contract`, compiled by solc and run by ethereumjs's EVM. */
import { readFileSync } from 'node:fs';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { keccak_256 as keccak } from '@noble/hashes/sha3.js';
import { concatBytes as concat } from '@noble/hashes/utils.js';
import { g1ForEip2537, g2ForEip2537 } from '@tutti/certificates';
import solc from 'solc';

const source = new URL('../../examples/contract/Certificates.sol', import.meta.url);
/** Number of members that one transaction registers. The check of each member's proof of possession needs a pairing. */
const batch = 64;
const gasLimit = 1n << 40n;

const compiled = new Map();

/** Returns the contract's creation code, or throws solc's errors. `viaIR` saves gas but takes five times as long. */
function compiledContract(viaIR = true) {
  if (compiled.has(viaIR)) return compiled.get(viaIR);
  const input = {
    language: 'Solidity',
    sources: { 'Certificates.sol': { content: readFileSync(source, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      viaIR,
      optimizer: { enabled: true, runs: 10_000 },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  compiled.set(viaIR, Buffer.from(contracts['Certificates.sol'].Certificates.evm.bytecode.object, 'hex'));
  return compiled.get(viaIR);
}

const word = (value) => Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex');
const tail = (bytes) => concat(word(bytes.length), bytes, new Uint8Array((32 - (bytes.length % 32)) % 32));

/** Returns the ABI encoding of a call: numbers are words; byte strings and lists of numbers follow the words. */
function calldata(signature, args) {
  const tails = args.map((arg) =>
    Array.isArray(arg) ? concat(word(arg.length), ...arg.map(word)) : arg instanceof Uint8Array ? tail(arg) : undefined,
  );
  let at = 32 * args.length;
  const head = args.map((arg, index) => {
    const here = at;
    at += tails[index]?.length ?? 0;
    return word(tails[index] === undefined ? arg : here);
  });
  const selector = keccak(Buffer.from(signature)).subarray(0, 4);
  return concat(selector, ...head, ...tails.filter((one) => one !== undefined));
}

/** @param point uncompressed point: 96 bytes in G1, 192 in G2. */
export const eipPoint = (point) => (point.length === 96 ? g1ForEip2537(point) : g2ForEip2537(point));

/** Returns the gas cost of a transaction: execution, the fixed cost of every transaction, and the calldata. */
const transactionGas = (execution, data) =>
  Number(execution) + 21_000 + data.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0);

/** Deploys a contract. `register` adds members, and `seal` ends this. @param variant `min-pk` or `min-sig` */
export async function deployed(
  variant,
  { numerator, denominator },
  hardfork = /** @type {string} */ (Hardfork.Prague),
  viaIR = true,
) {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork }) });
  const call = async (data, to, given = gasLimit) => {
    const { execResult, createdAddress } = await evm.runCall({ data, to, gasLimit: BigInt(given) });
    const { exceptionError, returnValue, executionGasUsed } = execResult;
    return { ok: exceptionError === undefined, returnValue, gas: executionGasUsed, createdAddress };
  };
  const share = [variant === 'min-sig' ? 1 : 0, numerator, denominator].map(word);
  const { ok, createdAddress: to } = await call(concat(compiledContract(viaIR), ...share));
  if (!ok) throw new Error('Certificates: the constructor refused its share');
  return {
    /** @param members uncompressed keys and proofs. @returns whether the contract accepted them, and the gas used. */
    async register(members, given = gasLimit) {
      let gas = 0;
      for (let from = 0; from < members.length; from += batch) {
        const some = members.slice(from, from + batch);
        const keys = concat(...some.map(({ key }) => eipPoint(key)));
        const proofs = concat(...some.map(({ proof }) => eipPoint(proof)));
        const data = calldata('register(bytes,uint64[],bytes)', [keys, some.map(({ weight }) => weight), proofs]);
        const done = await call(data, to, given);
        if (!done.ok) return { ok: false, gas };
        gas += transactionGas(done.gas, data);
      }
      return { ok: true, gas };
    },
    seal: async () => (await call(calldata('seal()', []), to)).ok,
    async statement(round, message) {
      const { returnValue } = await call(calldata('statement(uint64,bytes)', [round, message]), to);
      return returnValue.slice(64, 64 + Number(BigInt(`0x${Buffer.from(returnValue.slice(32, 64)).toString('hex')}`)));
    },
    /** @returns `said`: `accepted`, `refused`, or `reverted` without an answer. `given` limits the gas. */
    async verify(round, message, bits, signature, given = gasLimit) {
      const data = calldata('verify(uint64,bytes,bytes,bytes)', [round, message, bits, signature]);
      const { ok: returned, returnValue, gas } = await call(data, to, given);
      const said = !returned || returnValue.length !== 32 ? 'reverted' : returnValue[31] === 1 ? 'accepted' : 'refused';
      return { said, accepted: said === 'accepted', execution: Number(gas), transaction: transactionGas(gas, data) };
    },
  };
}
