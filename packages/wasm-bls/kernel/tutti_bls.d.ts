/* tslint:disable */
/* eslint-disable */

export class Committee {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A committee of keys of 96 uncompressed bytes each, one after the other; nothing if one is not a valid key.
     */
    static open(keys: Uint8Array | number[]): Committee | undefined;
    /**
     * The same by affine additions in pairs, which share an inversion.
     */
    sum_batched(bits: Uint8Array | number[]): Uint8Array;
    /**
     * The same, or the total less the keys whose bits are not set: whichever takes fewer additions.
     */
    sum_by_subtraction(bits: Uint8Array | number[]): Uint8Array;
    /**
     * The sum of the keys whose bits are set: each added to the sum in turn. There is a bit for each key.
     */
    sum_naive(bits: Uint8Array | number[]): Uint8Array;
}

/**
 * Claims that were read once, as batch.rs has them for BLS.
 */
export class PixelClaims {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * As ReadClaims::hold.
     */
    hold(from: number, to: number, coefficients: Uint8Array | number[]): boolean;
    /**
     * As ReadClaims::places.
     */
    places(): Uint32Array;
}

/**
 * e(pk, h) of one key, or of the sum of some, without the final exponentiation that it shares with the other pairings.
 */
export class PixelKept {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
}

/**
 * A suite's parameters: h, then h_0 .. h_D.
 */
export class PixelParameters {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Whether a sub-key is of this public key and this node, all of its points in their subgroups.
     *
     * e(g2, hpoly) = e(pk, h) e(g2r, h_0 + sum t_i h_i), and e(g2, hvector[i]) = e(g2r, h_i) for the rest, each times
     * a coefficient of 8 random bytes, in one check.
     */
    check_subkey(key: Uint8Array | number[], path: Uint8Array | number[], subkey: Uint8Array | number[], coefficients: Uint8Array | number[]): boolean;
    /**
     * The sub-key of a descendant. Without randomness it keeps its ancestor's.
     *
     * `path` is the descendant's, which begins with its ancestor's; empty if a point of the sub-key is invalid.
     */
    delegate(subkey: Uint8Array | number[], path: Uint8Array | number[], randomness: Uint8Array | number[]): Uint8Array;
    /**
     * The sub-key of time 1.
     */
    first_subkey(secret: Uint8Array | number[], randomness: Uint8Array | number[]): Uint8Array;
    /**
     * e(pk, h) of a key, or of the sum of some, 48 bytes each, kept for any number of checks; nothing if one is not
     * valid or they cancel out.
     */
    keep(keys: Uint8Array | number[]): PixelKept | undefined;
    /**
     * Points of 192 uncompressed bytes each, one after the other; nothing if one is not on the curve.
     */
    static open(points: Uint8Array | number[]): PixelParameters | undefined;
    /**
     * One time and one message over keys of 96 checked bytes each; nothing if one is not a valid key.
     */
    round(keys: Uint8Array | number[], path: Uint8Array | number[], message: Uint8Array | number[]): PixelRound | undefined;
    /**
     * A signature of 144 bytes by the sub-key of a time; empty if a point of the sub-key is invalid.
     */
    sign(subkey: Uint8Array | number[], path: Uint8Array | number[], message: Uint8Array | number[], randomness: Uint8Array | number[]): Uint8Array;
    verify(key: Uint8Array | number[], path: Uint8Array | number[], message: Uint8Array | number[], signature: Uint8Array | number[]): boolean;
    /**
     * Whether a signature is that of the key whose pairing is kept.
     */
    verify_kept(kept: PixelKept, path: Uint8Array | number[], message: Uint8Array | number[], signature: Uint8Array | number[]): boolean;
}

/**
 * One time, one message and a registry, against which contributions are verified.
 */
export class PixelRound {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * As Round::read_claims.
     */
    read_claims(claims: Uint32Array | number[], bytes: Uint8Array | number[]): PixelClaims;
    /**
     * Whether the signature (144 untrusted bytes, or 288 checked ones) is the sum of the claimed keys' signatures.
     */
    verify(first: number, bits: Uint8Array | number[], signature: Uint8Array | number[]): boolean;
}

/**
 * Claims that were read once: the sum of each one's keys and its decoded signature, for any number of checks.
 */
export class ReadClaims {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Whether all claims from one up to another hold; there is at least one. A coefficient is 8 bytes, little-endian,
     * not zero; a single claim needs none.
     */
    hold(from: number, to: number, coefficients: Uint8Array | number[]): boolean;
    /**
     * The positions, among all claims, of those that were not left out.
     */
    places(): Uint32Array;
}

export class Round {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * A round over uncompressed keys, one after the other; nothing if one is not a valid key.
     */
    static open(keys: Uint8Array | number[], message: Uint8Array | number[], min_sig?: boolean | null): Round | undefined;
    /**
     * Reads claims, and leaves out those that `verify` refuses without a pairing. A claim is three numbers: its first
     * key, the length of its bits, and the length of its signature, or KEPT and a kept one's number. `bytes` has
     * these, claim after claim.
     */
    read_claims(claims: Uint32Array | number[], bytes: Uint8Array | number[]): ReadClaims;
    /**
     * Whether the signature (compressed and untrusted, or uncompressed and checked) is the sum of the claimed keys'
     * signatures.
     */
    verify(first: number, bits: Uint8Array | number[], signature: Uint8Array | number[]): boolean;
    /**
     * As verify, for a kept signature.
     */
    verify_kept(first: number, bits: Uint8Array | number[], number: number): boolean;
}

export function add_kept_signatures(a: number, b: number, min_sig?: boolean | null): number;

/**
 * The sum of two uncompressed points that were checked.
 */
export function add_signatures(a: Uint8Array | number[], b: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

export function aggregate_public_keys(public_keys: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

export function aggregate_signatures(signatures: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

/**
 * CoreAggregateVerify (section 2.9 of the draft): a compressed key for each message; keys, and messages with their
 * lengths, come one after the other.
 */
export function aggregate_verify(public_keys: Uint8Array | number[], lengths: Uint32Array | number[], messages: Uint8Array | number[], signature: Uint8Array | number[], min_sig?: boolean | null, domain?: Uint8Array | number[] | null): boolean;

/**
 * The sum of at least one point, each times its scalar: as many as points, of at least one bit.
 */
export function combine_g1(points: Uint8Array | number[], scalars: Uint8Array | number[], bits: number): Uint8Array;

/**
 * The public keys, 96 uncompressed bytes each, of `count` consecutive secret keys from this one on; empty if the
 * secret key is invalid. Each is the one before it plus the generator.
 */
export function consecutive_keys(secret_key: Uint8Array | number[], count: number): Uint8Array;

export function decode_public_key(bytes: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

/**
 * Of a signature, compressed or not; both are checked.
 */
export function decode_signature(bytes: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

export function encode_kept_public_key(number: number, min_sig?: boolean | null): Uint8Array;

export function encode_kept_signature(number: number, uncompressed: boolean, min_sig?: boolean | null): Uint8Array;

/**
 * The compressed form of an uncompressed point that was checked.
 */
export function encode_signature(point: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

/**
 * FastAggregateVerify (section 3.3.4 of the draft) over compressed keys, one after the other.
 */
export function fast_aggregate_verify(public_keys: Uint8Array | number[], message: Uint8Array | number[], signature: Uint8Array | number[], min_sig?: boolean | null): boolean;

/**
 * The result of an operation: `mul`, `sqr`, `add`, `sub`, `triple`, `eightfold`, `inverse`, in Fp for operands of 48
 * bytes, in Fp2 for 96; in Fp12, for 576, `mul`, `sqr`, `line` (times b's coordinates 0, 1 and 4, which are its first
 * three) and `cyclotomic` (the square of what is in the cyclotomic subgroup). An operation of one operand ignores `b`.
 * Empty for another name.
 */
export function field(operation: string, a: Uint8Array | number[], b: Uint8Array | number[]): Uint8Array;

/**
 * The first half of the points, to each of which is added its counterpart in the second half times one scalar.
 */
export function fold_g1(points: Uint8Array | number[], scalar: Uint8Array | number[], bits: number): Uint8Array;

export function hash_to_curve(message: Uint8Array | number[], dst: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

/**
 * A message's point of G1 under a domain (RFC 9380, hash_to_curve).
 */
export function hash_to_g1(message: Uint8Array | number[], dst: Uint8Array | number[]): Uint8Array;

/**
 * As keep_public_key, for a signature, compressed or not.
 */
export function keep_decoded_signature(bytes: Uint8Array | number[], min_sig?: boolean | null): number;

/**
 * Reads a public key and keeps it: its number, or a fault's times -1.
 */
export function keep_public_key(bytes: Uint8Array | number[], min_sig?: boolean | null): number;

/**
 * KeyGen (section 2.3 of the draft) of at least 32 bytes.
 */
export function key_gen(ikm: Uint8Array | number[]): Uint8Array;

/**
 * The sum of the points that two elements of Fp2 are mapped to, in the subgroup (RFC 9380, sections 6.6.3 and 7): 48
 * big-endian bytes each of the first's real and imaginary part, then the second's.
 */
export function map_to_g2(elements: Uint8Array | number[]): Uint8Array;

/**
 * The sum of two signatures of 288 checked bytes.
 */
export function pixel_add_signatures(a: Uint8Array | number[], b: Uint8Array | number[]): Uint8Array;

export function pixel_decode_signature(bytes: Uint8Array | number[]): Uint8Array;

/**
 * 144 compressed bytes of 288 checked ones.
 */
export function pixel_encode_signature(points: Uint8Array | number[]): Uint8Array;

/**
 * The product of a secret and a point of G2, 96 bytes: a proof of possession.
 */
export function pixel_prove_possession(secret: Uint8Array | number[], hashed: Uint8Array | number[]): Uint8Array;

export function pixel_public_key(secret: Uint8Array | number[]): Uint8Array;

/**
 * Whether a proof of possession is the key's over its hashed encoding.
 */
export function pixel_verify_possession(key: Uint8Array | number[], proof: Uint8Array | number[], hashed: Uint8Array | number[]): boolean;

export function prove_possession(secret_key: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

export function public_key(secret_key: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

export function release_public_key(number: number, min_sig?: boolean | null): void;

export function release_signature(number: number, min_sig?: boolean | null): void;

export function sign(secret_key: Uint8Array | number[], message: Uint8Array | number[], min_sig?: boolean | null, domain?: Uint8Array | number[] | null): Uint8Array;

/**
 * A signature on a message that was hashed by the caller, whose uncompressed point is checked.
 */
export function sign_point(secret_key: Uint8Array | number[], point: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

/**
 * The sum of at least one.
 */
export function sum_kept_public_keys(numbers: Uint32Array | number[], min_sig?: boolean | null): number;

/**
 * The sum of at least one.
 */
export function sum_kept_signatures(numbers: Uint32Array | number[], min_sig?: boolean | null): number;

export function validate_public_key(bytes: Uint8Array | number[], min_sig?: boolean | null): Uint8Array;

/**
 * Of a signature, compressed or not.
 */
export function verify(public_key: Uint8Array | number[], message: Uint8Array | number[], signature: Uint8Array | number[], min_sig?: boolean | null, domain?: Uint8Array | number[] | null): boolean;

export function verify_kept(public_key: number, message: Uint8Array | number[], kept: number, min_sig?: boolean | null): boolean;

/**
 * Whether every signature is its key's on its message, in one check: e(c_1 key_1, message_1) e(c_2 key_2, message_2)
 * .. = e(generator, c_1 signature_1 + c_2 signature_2 ..) for random coefficients c of 8 bytes, little-endian, not
 * zero. Messages come one after the other, with their lengths.
 */
export function verify_kept_each(public_keys: Uint32Array | number[], lengths: Uint32Array | number[], messages: Uint8Array | number[], signatures: Uint32Array | number[], coefficients: Uint8Array | number[], min_sig?: boolean | null): boolean;

/**
 * As `aggregate_verify`, of messages that were hashed by the caller. All points are uncompressed, and checked.
 */
export function verify_points(public_keys: Uint8Array | number[], points: Uint8Array | number[], signature: Uint8Array | number[], min_sig?: boolean | null): boolean;

export function verify_possession(public_key: Uint8Array | number[], proof: Uint8Array | number[], min_sig?: boolean | null): boolean;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_committee_free: (a: number, b: number) => void;
    readonly __wbg_pixelclaims_free: (a: number, b: number) => void;
    readonly __wbg_pixelkept_free: (a: number, b: number) => void;
    readonly __wbg_pixelparameters_free: (a: number, b: number) => void;
    readonly __wbg_pixelround_free: (a: number, b: number) => void;
    readonly __wbg_readclaims_free: (a: number, b: number) => void;
    readonly __wbg_round_free: (a: number, b: number) => void;
    readonly add_kept_signatures: (a: number, b: number, c: number) => number;
    readonly add_signatures: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly aggregate_public_keys: (a: number, b: number, c: number) => [number, number];
    readonly aggregate_signatures: (a: number, b: number, c: number) => [number, number];
    readonly aggregate_verify: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => number;
    readonly combine_g1: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly committee_open: (a: number, b: number) => number;
    readonly committee_sum_batched: (a: number, b: number, c: number) => [number, number];
    readonly committee_sum_by_subtraction: (a: number, b: number, c: number) => [number, number];
    readonly committee_sum_naive: (a: number, b: number, c: number) => [number, number];
    readonly consecutive_keys: (a: number, b: number, c: number) => [number, number];
    readonly decode_public_key: (a: number, b: number, c: number) => [number, number];
    readonly decode_signature: (a: number, b: number, c: number) => [number, number];
    readonly encode_kept_public_key: (a: number, b: number) => [number, number];
    readonly encode_kept_signature: (a: number, b: number, c: number) => [number, number];
    readonly encode_signature: (a: number, b: number, c: number) => [number, number];
    readonly fast_aggregate_verify: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => number;
    readonly field: (a: number, b: number, c: number, d: number, e: number, f: number) => [number, number];
    readonly fold_g1: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly hash_to_curve: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly hash_to_g1: (a: number, b: number, c: number, d: number) => [number, number];
    readonly keep_decoded_signature: (a: number, b: number, c: number) => number;
    readonly keep_public_key: (a: number, b: number, c: number) => number;
    readonly key_gen: (a: number, b: number) => [number, number];
    readonly map_to_g2: (a: number, b: number) => [number, number];
    readonly pixel_add_signatures: (a: number, b: number, c: number, d: number) => [number, number];
    readonly pixel_decode_signature: (a: number, b: number) => [number, number];
    readonly pixel_encode_signature: (a: number, b: number) => [number, number];
    readonly pixel_prove_possession: (a: number, b: number, c: number, d: number) => [number, number];
    readonly pixel_public_key: (a: number, b: number) => [number, number];
    readonly pixel_verify_possession: (a: number, b: number, c: number, d: number, e: number, f: number) => number;
    readonly pixelclaims_hold: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly pixelclaims_places: (a: number) => [number, number];
    readonly pixelparameters_check_subkey: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => number;
    readonly pixelparameters_delegate: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number];
    readonly pixelparameters_first_subkey: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly pixelparameters_keep: (a: number, b: number, c: number) => number;
    readonly pixelparameters_open: (a: number, b: number) => number;
    readonly pixelparameters_round: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => number;
    readonly pixelparameters_sign: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => [number, number];
    readonly pixelparameters_verify: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => number;
    readonly pixelparameters_verify_kept: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number) => number;
    readonly pixelround_read_claims: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly pixelround_verify: (a: number, b: number, c: number, d: number, e: number, f: number) => number;
    readonly prove_possession: (a: number, b: number, c: number) => [number, number];
    readonly public_key: (a: number, b: number, c: number) => [number, number];
    readonly readclaims_hold: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly readclaims_places: (a: number) => [number, number];
    readonly release_public_key: (a: number, b: number) => void;
    readonly release_signature: (a: number, b: number) => void;
    readonly round_open: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly round_read_claims: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly round_verify: (a: number, b: number, c: number, d: number, e: number, f: number) => number;
    readonly round_verify_kept: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly sign: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number];
    readonly sign_point: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly sum_kept_public_keys: (a: number, b: number, c: number) => number;
    readonly sum_kept_signatures: (a: number, b: number, c: number) => number;
    readonly validate_public_key: (a: number, b: number, c: number) => [number, number];
    readonly verify: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number) => number;
    readonly verify_kept: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly verify_kept_each: (a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number, j: number, k: number) => number;
    readonly verify_points: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => number;
    readonly verify_possession: (a: number, b: number, c: number, d: number, e: number) => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
