/* @ts-self-types="./tutti_bls.d.ts" */

export class Committee {
    static __wrap(ptr) {
        const obj = Object.create(Committee.prototype);
        obj.__wbg_ptr = ptr;
        CommitteeFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        CommitteeFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_committee_free(ptr, 0);
    }
    /**
     * A committee of keys of 96 uncompressed bytes each, one after the other; nothing if one is not a valid key.
     * @param {Uint8Array | number[]} keys
     * @returns {Committee | undefined}
     */
    static open(keys) {
        const ptr0 = passArray8ToWasm0(keys, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.committee_open(ptr0, len0);
        return ret === 0 ? undefined : Committee.__wrap(ret);
    }
    /**
     * The same by affine additions in pairs, which share an inversion.
     * @param {Uint8Array | number[]} bits
     * @returns {Uint8Array}
     */
    sum_batched(bits) {
        const ptr0 = passArray8ToWasm0(bits, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.committee_sum_batched(this.__wbg_ptr, ptr0, len0);
        var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v2;
    }
    /**
     * The same, or the total less the keys whose bits are not set: whichever takes fewer additions.
     * @param {Uint8Array | number[]} bits
     * @returns {Uint8Array}
     */
    sum_by_subtraction(bits) {
        const ptr0 = passArray8ToWasm0(bits, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.committee_sum_by_subtraction(this.__wbg_ptr, ptr0, len0);
        var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v2;
    }
    /**
     * The sum of the keys whose bits are set: each added to the sum in turn. There is a bit for each key.
     * @param {Uint8Array | number[]} bits
     * @returns {Uint8Array}
     */
    sum_naive(bits) {
        const ptr0 = passArray8ToWasm0(bits, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.committee_sum_naive(this.__wbg_ptr, ptr0, len0);
        var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v2;
    }
}
if (Symbol.dispose) Committee.prototype[Symbol.dispose] = Committee.prototype.free;

/**
 * Claims that were read once, as batch.rs has them for BLS.
 */
export class PixelClaims {
    static __wrap(ptr) {
        const obj = Object.create(PixelClaims.prototype);
        obj.__wbg_ptr = ptr;
        PixelClaimsFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PixelClaimsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_pixelclaims_free(ptr, 0);
    }
    /**
     * As ReadClaims::hold.
     * @param {number} from
     * @param {number} to
     * @param {Uint8Array | number[]} coefficients
     * @returns {boolean}
     */
    hold(from, to, coefficients) {
        const val2 = +from;
        const val3 = +to;
        const ptr0 = passArray8ToWasm0(coefficients, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.pixelclaims_hold(this.__wbg_ptr, val2, val3, ptr0, len0);
        return ret !== 0;
    }
    /**
     * As ReadClaims::places.
     * @returns {Uint32Array}
     */
    places() {
        const ret = wasm.pixelclaims_places(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
}
if (Symbol.dispose) PixelClaims.prototype[Symbol.dispose] = PixelClaims.prototype.free;

/**
 * e(pk, h) of one key, or of the sum of some, without the final exponentiation that it shares with the other pairings.
 */
export class PixelKept {
    static __wrap(ptr) {
        const obj = Object.create(PixelKept.prototype);
        obj.__wbg_ptr = ptr;
        PixelKeptFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PixelKeptFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_pixelkept_free(ptr, 0);
    }
}
if (Symbol.dispose) PixelKept.prototype[Symbol.dispose] = PixelKept.prototype.free;

/**
 * A suite's parameters: h, then h_0 .. h_D.
 */
export class PixelParameters {
    static __wrap(ptr) {
        const obj = Object.create(PixelParameters.prototype);
        obj.__wbg_ptr = ptr;
        PixelParametersFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PixelParametersFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_pixelparameters_free(ptr, 0);
    }
    /**
     * Whether a sub-key is of this public key and this node, all of its points in their subgroups.
     *
     * e(g2, hpoly) = e(pk, h) e(g2r, h_0 + sum t_i h_i), and e(g2, hvector[i]) = e(g2r, h_i) for the rest, each times
     * a coefficient of 8 random bytes, in one check.
     * @param {Uint8Array | number[]} key
     * @param {Uint8Array | number[]} path
     * @param {Uint8Array | number[]} subkey
     * @param {Uint8Array | number[]} coefficients
     * @returns {boolean}
     */
    check_subkey(key, path, subkey, coefficients) {
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passArray8ToWasm0(key, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(path, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(subkey, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArray8ToWasm0(coefficients, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_check_subkey(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        return ret !== 0;
    }
    /**
     * The sub-key of a descendant. Without randomness it keeps its ancestor's.
     *
     * `path` is the descendant's, which begins with its ancestor's; empty if a point of the sub-key is invalid.
     * @param {Uint8Array | number[]} subkey
     * @param {Uint8Array | number[]} path
     * @param {Uint8Array | number[]} randomness
     * @returns {Uint8Array}
     */
    delegate(subkey, path, randomness) {
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray8ToWasm0(subkey, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(path, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(randomness, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_delegate(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2);
        var v4 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v4;
    }
    /**
     * The sub-key of time 1.
     * @param {Uint8Array | number[]} secret
     * @param {Uint8Array | number[]} randomness
     * @returns {Uint8Array}
     */
    first_subkey(secret, randomness) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray8ToWasm0(secret, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(randomness, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_first_subkey(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v3;
    }
    /**
     * e(pk, h) of a key, or of the sum of some, 48 bytes each, kept for any number of checks; nothing if one is not
     * valid or they cancel out.
     * @param {Uint8Array | number[]} keys
     * @returns {PixelKept | undefined}
     */
    keep(keys) {
        const ptr0 = passArray8ToWasm0(keys, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.pixelparameters_keep(this.__wbg_ptr, ptr0, len0);
        return ret === 0 ? undefined : PixelKept.__wrap(ret);
    }
    /**
     * Points of 192 uncompressed bytes each, one after the other; nothing if one is not on the curve.
     * @param {Uint8Array | number[]} points
     * @returns {PixelParameters | undefined}
     */
    static open(points) {
        const ptr0 = passArray8ToWasm0(points, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.pixelparameters_open(ptr0, len0);
        return ret === 0 ? undefined : PixelParameters.__wrap(ret);
    }
    /**
     * One time and one message over keys of 96 checked bytes each; nothing if one is not a valid key.
     * @param {Uint8Array | number[]} keys
     * @param {Uint8Array | number[]} path
     * @param {Uint8Array | number[]} message
     * @returns {PixelRound | undefined}
     */
    round(keys, path, message) {
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray8ToWasm0(keys, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(path, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_round(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2);
        return ret === 0 ? undefined : PixelRound.__wrap(ret);
    }
    /**
     * A signature of 144 bytes by the sub-key of a time; empty if a point of the sub-key is invalid.
     * @param {Uint8Array | number[]} subkey
     * @param {Uint8Array | number[]} path
     * @param {Uint8Array | number[]} message
     * @param {Uint8Array | number[]} randomness
     * @returns {Uint8Array}
     */
    sign(subkey, path, message, randomness) {
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passArray8ToWasm0(subkey, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(path, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArray8ToWasm0(randomness, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_sign(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        var v5 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
        return v5;
    }
    /**
     * @param {Uint8Array | number[]} key
     * @param {Uint8Array | number[]} path
     * @param {Uint8Array | number[]} message
     * @param {Uint8Array | number[]} signature
     * @returns {boolean}
     */
    verify(key, path, message, signature) {
        let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
        try {
            ptr0 = passArray8ToWasm0(key, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(path, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
            ptr3 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
            len3 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_verify(this.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
        return ret !== 0;
    }
    /**
     * Whether a signature is that of the key whose pairing is kept.
     * @param {PixelKept} kept
     * @param {Uint8Array | number[]} path
     * @param {Uint8Array | number[]} message
     * @param {Uint8Array | number[]} signature
     * @returns {boolean}
     */
    verify_kept(kept, path, message, signature) {
        _assertClass(kept, PixelKept);
        let ptr0, len0, ptr1, len1, ptr2, len2;
        try {
            ptr0 = passArray8ToWasm0(path, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
            ptr2 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
            len2 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelparameters_verify_kept(this.__wbg_ptr, kept.__wbg_ptr, ptr0, len0, ptr1, len1, ptr2, len2);
        return ret !== 0;
    }
}
if (Symbol.dispose) PixelParameters.prototype[Symbol.dispose] = PixelParameters.prototype.free;

/**
 * One time, one message and a registry, against which contributions are verified.
 */
export class PixelRound {
    static __wrap(ptr) {
        const obj = Object.create(PixelRound.prototype);
        obj.__wbg_ptr = ptr;
        PixelRoundFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        PixelRoundFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_pixelround_free(ptr, 0);
    }
    /**
     * As Round::read_claims.
     * @param {Uint32Array | number[]} claims
     * @param {Uint8Array | number[]} bytes
     * @returns {PixelClaims}
     */
    read_claims(claims, bytes) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray32ToWasm0(claims, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
            throw e;
        }
        const ret = wasm.pixelround_read_claims(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        return PixelClaims.__wrap(ret);
    }
    /**
     * Whether the signature (144 untrusted bytes, or 288 checked ones) is the sum of the claimed keys' signatures.
     * @param {number} first
     * @param {Uint8Array | number[]} bits
     * @param {Uint8Array | number[]} signature
     * @returns {boolean}
     */
    verify(first, bits, signature) {
        const val3 = +first;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray8ToWasm0(bits, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.pixelround_verify(this.__wbg_ptr, val3, ptr0, len0, ptr1, len1);
        return ret !== 0;
    }
}
if (Symbol.dispose) PixelRound.prototype[Symbol.dispose] = PixelRound.prototype.free;

/**
 * Claims that were read once: the sum of each one's keys and its decoded signature, for any number of checks.
 */
export class ReadClaims {
    static __wrap(ptr) {
        const obj = Object.create(ReadClaims.prototype);
        obj.__wbg_ptr = ptr;
        ReadClaimsFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        ReadClaimsFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_readclaims_free(ptr, 0);
    }
    /**
     * Whether all claims from one up to another hold; there is at least one. A coefficient is 8 bytes, little-endian,
     * not zero; a single claim needs none.
     * @param {number} from
     * @param {number} to
     * @param {Uint8Array | number[]} coefficients
     * @returns {boolean}
     */
    hold(from, to, coefficients) {
        const val2 = +from;
        const val3 = +to;
        const ptr0 = passArray8ToWasm0(coefficients, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.readclaims_hold(this.__wbg_ptr, val2, val3, ptr0, len0);
        return ret !== 0;
    }
    /**
     * The positions, among all claims, of those that were not left out.
     * @returns {Uint32Array}
     */
    places() {
        const ret = wasm.readclaims_places(this.__wbg_ptr);
        var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
        wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
        return v1;
    }
}
if (Symbol.dispose) ReadClaims.prototype[Symbol.dispose] = ReadClaims.prototype.free;

export class Round {
    static __wrap(ptr) {
        const obj = Object.create(Round.prototype);
        obj.__wbg_ptr = ptr;
        RoundFinalization.register(obj, obj.__wbg_ptr, obj);
        return obj;
    }
    __destroy_into_raw() {
        const ptr = this.__wbg_ptr;
        this.__wbg_ptr = 0;
        RoundFinalization.unregister(this);
        return ptr;
    }
    free() {
        const ptr = this.__destroy_into_raw();
        wasm.__wbg_round_free(ptr, 0);
    }
    /**
     * A round over uncompressed keys, one after the other; nothing if one is not a valid key.
     * @param {Uint8Array | number[]} keys
     * @param {Uint8Array | number[]} message
     * @param {boolean | null} [min_sig]
     * @returns {Round | undefined}
     */
    static open(keys, message, min_sig) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray8ToWasm0(keys, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.round_open(ptr0, len0, ptr1, len1, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
        return ret === 0 ? undefined : Round.__wrap(ret);
    }
    /**
     * Reads claims, and leaves out those that `verify` refuses without a pairing. A claim is three numbers: its first
     * key, the length of its bits, and the length of its signature, or KEPT and a kept one's number. `bytes` has
     * these, claim after claim.
     * @param {Uint32Array | number[]} claims
     * @param {Uint8Array | number[]} bytes
     * @returns {ReadClaims}
     */
    read_claims(claims, bytes) {
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray32ToWasm0(claims, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
            throw e;
        }
        const ret = wasm.round_read_claims(this.__wbg_ptr, ptr0, len0, ptr1, len1);
        return ReadClaims.__wrap(ret);
    }
    /**
     * Whether the signature (compressed and untrusted, or uncompressed and checked) is the sum of the claimed keys'
     * signatures.
     * @param {number} first
     * @param {Uint8Array | number[]} bits
     * @param {Uint8Array | number[]} signature
     * @returns {boolean}
     */
    verify(first, bits, signature) {
        const val3 = +first;
        let ptr0, len0, ptr1, len1;
        try {
            ptr0 = passArray8ToWasm0(bits, wasm.__wbindgen_malloc);
            len0 = WASM_VECTOR_LEN;
            ptr1 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
            len1 = WASM_VECTOR_LEN;
        } catch (e) {
            if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
            if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
            throw e;
        }
        const ret = wasm.round_verify(this.__wbg_ptr, val3, ptr0, len0, ptr1, len1);
        return ret !== 0;
    }
    /**
     * As verify, for a kept signature.
     * @param {number} first
     * @param {Uint8Array | number[]} bits
     * @param {number} number
     * @returns {boolean}
     */
    verify_kept(first, bits, number) {
        const val2 = +first;
        const val3 = +number;
        const ptr0 = passArray8ToWasm0(bits, wasm.__wbindgen_malloc);
        const len0 = WASM_VECTOR_LEN;
        const ret = wasm.round_verify_kept(this.__wbg_ptr, val2, ptr0, len0, val3);
        return ret !== 0;
    }
}
if (Symbol.dispose) Round.prototype[Symbol.dispose] = Round.prototype.free;

/**
 * @param {number} a
 * @param {number} b
 * @param {boolean | null} [min_sig]
 * @returns {number}
 */
export function add_kept_signatures(a, b, min_sig) {
    const ret = wasm.add_kept_signatures(a, b, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret >>> 0;
}

/**
 * The sum of two uncompressed points that were checked.
 * @param {Uint8Array | number[]} a
 * @param {Uint8Array | number[]} b
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function add_signatures(a, b, min_sig) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(a, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(b, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.add_signatures(ptr0, len0, ptr1, len1, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * @param {Uint8Array | number[]} public_keys
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function aggregate_public_keys(public_keys, min_sig) {
    const ptr0 = passArray8ToWasm0(public_keys, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.aggregate_public_keys(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {Uint8Array | number[]} signatures
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function aggregate_signatures(signatures, min_sig) {
    const ptr0 = passArray8ToWasm0(signatures, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.aggregate_signatures(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * CoreAggregateVerify (section 2.9 of the draft): a compressed key for each message; keys, and messages with their
 * lengths, come one after the other.
 * @param {Uint8Array | number[]} public_keys
 * @param {Uint32Array | number[]} lengths
 * @param {Uint8Array | number[]} messages
 * @param {Uint8Array | number[]} signature
 * @param {boolean | null} [min_sig]
 * @param {Uint8Array | number[] | null} [domain]
 * @returns {boolean}
 */
export function aggregate_verify(public_keys, lengths, messages, signature, min_sig, domain) {
    let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
    try {
        ptr0 = passArray8ToWasm0(public_keys, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray32ToWasm0(lengths, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(messages, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
        ptr3 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
        len3 = WASM_VECTOR_LEN;
        ptr4 = isLikeNone(domain) ? 0 : passArray8ToWasm0(domain, wasm.__wbindgen_malloc);
        len4 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 1, 1); }
        if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.aggregate_verify(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0, ptr4, len4);
    return ret !== 0;
}

/**
 * The sum of at least one point, each times its scalar: as many as points, of at least one bit.
 * @param {Uint8Array | number[]} points
 * @param {Uint8Array | number[]} scalars
 * @param {number} bits
 * @returns {Uint8Array}
 */
export function combine_g1(points, scalars, bits) {
    const val3 = +bits;
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(points, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(scalars, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.combine_g1(ptr0, len0, ptr1, len1, val3);
    var v4 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v4;
}

/**
 * The public keys, 96 uncompressed bytes each, of `count` consecutive secret keys from this one on; empty if the
 * secret key is invalid. Each is the one before it plus the generator.
 * @param {Uint8Array | number[]} secret_key
 * @param {number} count
 * @returns {Uint8Array}
 */
export function consecutive_keys(secret_key, count) {
    const val2 = +count;
    const ptr0 = passArray8ToWasm0(secret_key, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.consecutive_keys(ptr0, len0, val2);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * @param {Uint8Array | number[]} bytes
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function decode_public_key(bytes, min_sig) {
    const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.decode_public_key(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * Of a signature, compressed or not; both are checked.
 * @param {Uint8Array | number[]} bytes
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function decode_signature(bytes, min_sig) {
    const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.decode_signature(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {number} number
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function encode_kept_public_key(number, min_sig) {
    const ret = wasm.encode_kept_public_key(number, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v1;
}

/**
 * @param {number} number
 * @param {boolean} uncompressed
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function encode_kept_signature(number, uncompressed, min_sig) {
    const ret = wasm.encode_kept_signature(number, uncompressed, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v1 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v1;
}

/**
 * The compressed form of an uncompressed point that was checked.
 * @param {Uint8Array | number[]} point
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function encode_signature(point, min_sig) {
    const ptr0 = passArray8ToWasm0(point, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.encode_signature(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * FastAggregateVerify (section 3.3.4 of the draft) over compressed keys, one after the other.
 * @param {Uint8Array | number[]} public_keys
 * @param {Uint8Array | number[]} message
 * @param {Uint8Array | number[]} signature
 * @param {boolean | null} [min_sig]
 * @returns {boolean}
 */
export function fast_aggregate_verify(public_keys, message, signature, min_sig) {
    let ptr0, len0, ptr1, len1, ptr2, len2;
    try {
        ptr0 = passArray8ToWasm0(public_keys, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.fast_aggregate_verify(ptr0, len0, ptr1, len1, ptr2, len2, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret !== 0;
}

/**
 * The result of an operation: `mul`, `sqr`, `add`, `sub`, `triple`, `eightfold`, `inverse`, in Fp for operands of 48
 * bytes, in Fp2 for 96; in Fp12, for 576, `mul`, `sqr`, `line` (times b's coordinates 0, 1 and 4, which are its first
 * three) and `cyclotomic` (the square of what is in the cyclotomic subgroup). An operation of one operand ignores `b`.
 * Empty for another name.
 * @param {string} operation
 * @param {Uint8Array | number[]} a
 * @param {Uint8Array | number[]} b
 * @returns {Uint8Array}
 */
export function field(operation, a, b) {
    let ptr0, len0, ptr1, len1, ptr2, len2;
    try {
        ptr0 = passStringToWasm0(operation, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(a, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(b, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.field(ptr0, len0, ptr1, len1, ptr2, len2);
    var v4 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v4;
}

/**
 * The first half of the points, to each of which is added its counterpart in the second half times one scalar.
 * @param {Uint8Array | number[]} points
 * @param {Uint8Array | number[]} scalar
 * @param {number} bits
 * @returns {Uint8Array}
 */
export function fold_g1(points, scalar, bits) {
    const val3 = +bits;
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(points, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(scalar, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.fold_g1(ptr0, len0, ptr1, len1, val3);
    var v4 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v4;
}

/**
 * @param {Uint8Array | number[]} message
 * @param {Uint8Array | number[]} dst
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function hash_to_curve(message, dst, min_sig) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(dst, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.hash_to_curve(ptr0, len0, ptr1, len1, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * A message's point of G1 under a domain (RFC 9380, hash_to_curve).
 * @param {Uint8Array | number[]} message
 * @param {Uint8Array | number[]} dst
 * @returns {Uint8Array}
 */
export function hash_to_g1(message, dst) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(dst, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.hash_to_g1(ptr0, len0, ptr1, len1);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * As keep_public_key, for a signature, compressed or not.
 * @param {Uint8Array | number[]} bytes
 * @param {boolean | null} [min_sig]
 * @returns {number}
 */
export function keep_decoded_signature(bytes, min_sig) {
    const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.keep_decoded_signature(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret;
}

/**
 * Reads a public key and keeps it: its number, or a fault's times -1.
 * @param {Uint8Array | number[]} bytes
 * @param {boolean | null} [min_sig]
 * @returns {number}
 */
export function keep_public_key(bytes, min_sig) {
    const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.keep_public_key(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret;
}

/**
 * KeyGen (section 2.3 of the draft) of at least 32 bytes.
 * @param {Uint8Array | number[]} ikm
 * @returns {Uint8Array}
 */
export function key_gen(ikm) {
    const ptr0 = passArray8ToWasm0(ikm, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.key_gen(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * The sum of the points that two elements of Fp2 are mapped to, in the subgroup (RFC 9380, sections 6.6.3 and 7): 48
 * big-endian bytes each of the first's real and imaginary part, then the second's.
 * @param {Uint8Array | number[]} elements
 * @returns {Uint8Array}
 */
export function map_to_g2(elements) {
    const ptr0 = passArray8ToWasm0(elements, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.map_to_g2(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * The sum of two signatures of 288 checked bytes.
 * @param {Uint8Array | number[]} a
 * @param {Uint8Array | number[]} b
 * @returns {Uint8Array}
 */
export function pixel_add_signatures(a, b) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(a, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(b, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.pixel_add_signatures(ptr0, len0, ptr1, len1);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * @param {Uint8Array | number[]} bytes
 * @returns {Uint8Array}
 */
export function pixel_decode_signature(bytes) {
    const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.pixel_decode_signature(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * 144 compressed bytes of 288 checked ones.
 * @param {Uint8Array | number[]} points
 * @returns {Uint8Array}
 */
export function pixel_encode_signature(points) {
    const ptr0 = passArray8ToWasm0(points, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.pixel_encode_signature(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * The product of a secret and a point of G2, 96 bytes: a proof of possession.
 * @param {Uint8Array | number[]} secret
 * @param {Uint8Array | number[]} hashed
 * @returns {Uint8Array}
 */
export function pixel_prove_possession(secret, hashed) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(secret, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(hashed, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.pixel_prove_possession(ptr0, len0, ptr1, len1);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * @param {Uint8Array | number[]} secret
 * @returns {Uint8Array}
 */
export function pixel_public_key(secret) {
    const ptr0 = passArray8ToWasm0(secret, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.pixel_public_key(ptr0, len0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * Whether a proof of possession is the key's over its hashed encoding.
 * @param {Uint8Array | number[]} key
 * @param {Uint8Array | number[]} proof
 * @param {Uint8Array | number[]} hashed
 * @returns {boolean}
 */
export function pixel_verify_possession(key, proof, hashed) {
    let ptr0, len0, ptr1, len1, ptr2, len2;
    try {
        ptr0 = passArray8ToWasm0(key, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(proof, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(hashed, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.pixel_verify_possession(ptr0, len0, ptr1, len1, ptr2, len2);
    return ret !== 0;
}

/**
 * @param {Uint8Array | number[]} secret_key
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function prove_possession(secret_key, min_sig) {
    const ptr0 = passArray8ToWasm0(secret_key, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.prove_possession(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {Uint8Array | number[]} secret_key
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function public_key(secret_key, min_sig) {
    const ptr0 = passArray8ToWasm0(secret_key, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.public_key(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * @param {number} number
 * @param {boolean | null} [min_sig]
 */
export function release_public_key(number, min_sig) {
    wasm.release_public_key(number, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
}

/**
 * @param {number} number
 * @param {boolean | null} [min_sig]
 */
export function release_signature(number, min_sig) {
    wasm.release_signature(number, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
}

/**
 * @param {Uint8Array | number[]} secret_key
 * @param {Uint8Array | number[]} message
 * @param {boolean | null} [min_sig]
 * @param {Uint8Array | number[] | null} [domain]
 * @returns {Uint8Array}
 */
export function sign(secret_key, message, min_sig, domain) {
    let ptr0, len0, ptr1, len1, ptr2, len2;
    try {
        ptr0 = passArray8ToWasm0(secret_key, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = isLikeNone(domain) ? 0 : passArray8ToWasm0(domain, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.sign(ptr0, len0, ptr1, len1, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0, ptr2, len2);
    var v4 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v4;
}

/**
 * A signature on a message that was hashed by the caller, whose uncompressed point is checked.
 * @param {Uint8Array | number[]} secret_key
 * @param {Uint8Array | number[]} point
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function sign_point(secret_key, point, min_sig) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(secret_key, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(point, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.sign_point(ptr0, len0, ptr1, len1, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v3 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v3;
}

/**
 * The sum of at least one.
 * @param {Uint32Array | number[]} numbers
 * @param {boolean | null} [min_sig]
 * @returns {number}
 */
export function sum_kept_public_keys(numbers, min_sig) {
    const ptr0 = passArray32ToWasm0(numbers, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.sum_kept_public_keys(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret >>> 0;
}

/**
 * The sum of at least one.
 * @param {Uint32Array | number[]} numbers
 * @param {boolean | null} [min_sig]
 * @returns {number}
 */
export function sum_kept_signatures(numbers, min_sig) {
    const ptr0 = passArray32ToWasm0(numbers, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.sum_kept_signatures(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret >>> 0;
}

/**
 * @param {Uint8Array | number[]} bytes
 * @param {boolean | null} [min_sig]
 * @returns {Uint8Array}
 */
export function validate_public_key(bytes, min_sig) {
    const ptr0 = passArray8ToWasm0(bytes, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.validate_public_key(ptr0, len0, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    var v2 = getArrayU8FromWasm0(ret[0], ret[1]).slice();
    wasm.__wbindgen_free(ret[0], ret[1] * 1, 1);
    return v2;
}

/**
 * Of a signature, compressed or not.
 * @param {Uint8Array | number[]} public_key
 * @param {Uint8Array | number[]} message
 * @param {Uint8Array | number[]} signature
 * @param {boolean | null} [min_sig]
 * @param {Uint8Array | number[] | null} [domain]
 * @returns {boolean}
 */
export function verify(public_key, message, signature, min_sig, domain) {
    let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
    try {
        ptr0 = passArray8ToWasm0(public_key, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
        ptr3 = isLikeNone(domain) ? 0 : passArray8ToWasm0(domain, wasm.__wbindgen_malloc);
        len3 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 1, 1); }
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.verify(ptr0, len0, ptr1, len1, ptr2, len2, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0, ptr3, len3);
    return ret !== 0;
}

/**
 * @param {number} public_key
 * @param {Uint8Array | number[]} message
 * @param {number} kept
 * @param {boolean | null} [min_sig]
 * @returns {boolean}
 */
export function verify_kept(public_key, message, kept, min_sig) {
    const val2 = +public_key;
    const val3 = +kept;
    const ptr0 = passArray8ToWasm0(message, wasm.__wbindgen_malloc);
    const len0 = WASM_VECTOR_LEN;
    const ret = wasm.verify_kept(val2, ptr0, len0, val3, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret !== 0;
}

/**
 * Whether every signature is its key's on its message, in one check: e(c_1 key_1, message_1) e(c_2 key_2, message_2)
 * .. = e(generator, c_1 signature_1 + c_2 signature_2 ..) for random coefficients c of 8 bytes, little-endian, not
 * zero. Messages come one after the other, with their lengths.
 * @param {Uint32Array | number[]} public_keys
 * @param {Uint32Array | number[]} lengths
 * @param {Uint8Array | number[]} messages
 * @param {Uint32Array | number[]} signatures
 * @param {Uint8Array | number[]} coefficients
 * @param {boolean | null} [min_sig]
 * @returns {boolean}
 */
export function verify_kept_each(public_keys, lengths, messages, signatures, coefficients, min_sig) {
    let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
    try {
        ptr0 = passArray32ToWasm0(public_keys, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray32ToWasm0(lengths, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(messages, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
        ptr3 = passArray32ToWasm0(signatures, wasm.__wbindgen_malloc);
        len3 = WASM_VECTOR_LEN;
        ptr4 = passArray8ToWasm0(coefficients, wasm.__wbindgen_malloc);
        len4 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr4) { wasm.__wbindgen_free(ptr4, len4 * 1, 1); }
        if (ptr3) { wasm.__wbindgen_free(ptr3, len3 * 4, 4); }
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 4, 4); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 4, 4); }
        throw e;
    }
    const ret = wasm.verify_kept_each(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret !== 0;
}

/**
 * As `aggregate_verify`, of messages that were hashed by the caller. All points are uncompressed, and checked.
 * @param {Uint8Array | number[]} public_keys
 * @param {Uint8Array | number[]} points
 * @param {Uint8Array | number[]} signature
 * @param {boolean | null} [min_sig]
 * @returns {boolean}
 */
export function verify_points(public_keys, points, signature, min_sig) {
    let ptr0, len0, ptr1, len1, ptr2, len2;
    try {
        ptr0 = passArray8ToWasm0(public_keys, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(points, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
        ptr2 = passArray8ToWasm0(signature, wasm.__wbindgen_malloc);
        len2 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr2) { wasm.__wbindgen_free(ptr2, len2 * 1, 1); }
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.verify_points(ptr0, len0, ptr1, len1, ptr2, len2, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret !== 0;
}

/**
 * @param {Uint8Array | number[]} public_key
 * @param {Uint8Array | number[]} proof
 * @param {boolean | null} [min_sig]
 * @returns {boolean}
 */
export function verify_possession(public_key, proof, min_sig) {
    let ptr0, len0, ptr1, len1;
    try {
        ptr0 = passArray8ToWasm0(public_key, wasm.__wbindgen_malloc);
        len0 = WASM_VECTOR_LEN;
        ptr1 = passArray8ToWasm0(proof, wasm.__wbindgen_malloc);
        len1 = WASM_VECTOR_LEN;
    } catch (e) {
        if (ptr1) { wasm.__wbindgen_free(ptr1, len1 * 1, 1); }
        if (ptr0) { wasm.__wbindgen_free(ptr0, len0 * 1, 1); }
        throw e;
    }
    const ret = wasm.verify_possession(ptr0, len0, ptr1, len1, isLikeNone(min_sig) ? 0xFFFFFF : min_sig ? 1 : 0);
    return ret !== 0;
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg___wbindgen_throw_4c88d8bf264fd984: function(arg0, arg1) {
            throw new Error(getStringFromWasm0(arg0, arg1));
        },
        __wbindgen_init_externref_table: function() {
            const table = wasm.__wbindgen_externrefs;
            table.set(0, undefined);
            table.set(1024, undefined);
            table.set(1025, null);
            table.set(1026, true);
            table.set(1027, false);
        },
    };
    return {
        __proto__: null,
        "./tutti_bls_bg.js": import0,
    };
}

const CommitteeFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_committee_free(ptr, 1));
const PixelClaimsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_pixelclaims_free(ptr, 1));
const PixelKeptFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_pixelkept_free(ptr, 1));
const PixelParametersFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_pixelparameters_free(ptr, 1));
const PixelRoundFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_pixelround_free(ptr, 1));
const ReadClaimsFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_readclaims_free(ptr, 1));
const RoundFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_round_free(ptr, 1));

function _assertClass(instance, klass) {
    if (!(instance instanceof klass)) {
        throw new Error(`expected instance of ${klass.name}`);
    }
}

function getArrayU32FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
}

function getArrayU8FromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return getUint8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
}

function getStringFromWasm0(ptr, len) {
    ptr = ptr >>> 0;
    return decodeText(getUint8ArrayMemory0().subarray(ptr, ptr + len));
}

let cachedUint32ArrayMemory0 = null;
function getUint32ArrayMemory0() {
    if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.byteLength === 0) {
        cachedUint32ArrayMemory0 = new Uint32Array(wasm.memory.buffer);
    }
    return cachedUint32ArrayMemory0;
}

let cachedUint8ArrayMemory0 = null;
function getUint8ArrayMemory0() {
    if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) {
        cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
    }
    return cachedUint8ArrayMemory0;
}

function isLikeNone(x) {
    return x === undefined || x === null;
}

function passArray32ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 4, 4) >>> 0;
    getUint32ArrayMemory0().set(arg, ptr / 4);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passArray8ToWasm0(arg, malloc) {
    const ptr = malloc(arg.length * 1, 1) >>> 0;
    getUint8ArrayMemory0().set(arg, ptr / 1);
    WASM_VECTOR_LEN = arg.length;
    return ptr;
}

function passStringToWasm0(arg, malloc, realloc) {
    if (realloc === undefined) {
        const buf = cachedTextEncoder.encode(arg);
        const ptr = malloc(buf.length, 1) >>> 0;
        getUint8ArrayMemory0().subarray(ptr, ptr + buf.length).set(buf);
        WASM_VECTOR_LEN = buf.length;
        return ptr;
    }

    let len = arg.length;
    let ptr = malloc(len, 1) >>> 0;

    const mem = getUint8ArrayMemory0();

    let offset = 0;

    for (; offset < len; offset++) {
        const code = arg.charCodeAt(offset);
        if (code > 0x7F) break;
        mem[ptr + offset] = code;
    }
    if (offset !== len) {
        if (offset !== 0) {
            arg = arg.slice(offset);
        }
        ptr = realloc(ptr, len, len = offset + arg.length * 3, 1) >>> 0;
        const view = getUint8ArrayMemory0().subarray(ptr + offset, ptr + len);
        const ret = cachedTextEncoder.encodeInto(arg, view);

        offset += ret.written;
        ptr = realloc(ptr, len, offset, 1) >>> 0;
    }

    WASM_VECTOR_LEN = offset;
    return ptr;
}

let cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
cachedTextDecoder.decode();
const MAX_SAFARI_DECODE_BYTES = 2146435072;
let numBytesDecoded = 0;
function decodeText(bytes) {
    numBytesDecoded += bytes.length;
    if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
        cachedTextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
        cachedTextDecoder.decode();
        numBytesDecoded = bytes.length;
    }
    return cachedTextDecoder.decode(bytes);
}

const cachedTextEncoder = new TextEncoder();

if (!('encodeInto' in cachedTextEncoder)) {
    cachedTextEncoder.encodeInto = function (arg, view) {
        const buf = cachedTextEncoder.encode(arg);
        view.set(buf);
        return {
            read: arg.length,
            written: buf.length
        };
    };
}

let WASM_VECTOR_LEN = 0;

let wasmModule, wasmInstance, wasm;
function __wbg_finalize_init(instance, module) {
    wasmInstance = instance;
    wasm = instance.exports;
    wasmModule = module;
    cachedUint32ArrayMemory0 = null;
    cachedUint8ArrayMemory0 = null;
    wasm.__wbindgen_start();
    return wasm;
}

async function __wbg_load(module, imports) {
    if (typeof Response === 'function' && module instanceof Response) {
        if (!module.ok) {
            throw new Error(`failed to fetch Wasm: ${module.status} ${module.statusText} fetching '${module.url}'`);
        }

        if (typeof WebAssembly.instantiateStreaming === 'function') {
            try {
                return await WebAssembly.instantiateStreaming(module, imports);
            } catch (e) {
                const validResponse = expectedResponseType(module.type);

                if (validResponse && module.headers.get('Content-Type') !== 'application/wasm') {
                    console.warn("`WebAssembly.instantiateStreaming` failed because your server does not serve Wasm with `application/wasm` MIME type. Falling back to `WebAssembly.instantiate` which is slower. Original error:\n", e);

                } else { throw e; }
            }
        }

        const bytes = await module.arrayBuffer();
        return await WebAssembly.instantiate(bytes, imports);
    } else {
        const instance = await WebAssembly.instantiate(module, imports);

        if (instance instanceof WebAssembly.Instance) {
            return { instance, module };
        } else {
            return instance;
        }
    }

    function expectedResponseType(type) {
        switch (type) {
            case 'basic': case 'cors': case 'default': return true;
        }
        return false;
    }
}

function initSync(module) {
    if (wasm !== undefined) return wasm;


    if (module !== undefined) {
        if (Object.getPrototypeOf(module) === Object.prototype) {
            ({module} = module)
        } else {
            console.warn('using deprecated parameters for `initSync()`; pass a single object instead')
        }
    }

    const imports = __wbg_get_imports();
    if (!(module instanceof WebAssembly.Module)) {
        module = new WebAssembly.Module(module);
    }
    const instance = new WebAssembly.Instance(module, imports);
    return __wbg_finalize_init(instance, module);
}

let __wbg_init_promise;
async function __wbg_init(module_or_path) {
    if (wasm !== undefined) return wasm;
    if (__wbg_init_promise === undefined) {
        __wbg_init_promise = __wbg_init_once(module_or_path);
        __wbg_init_promise.catch(() => { __wbg_init_promise = undefined; });
    }
    return __wbg_init_promise;
}

async function __wbg_init_once(module_or_path) {

    if (module_or_path !== undefined) {
        if (Object.getPrototypeOf(module_or_path) === Object.prototype) {
            ({module_or_path} = module_or_path)
        } else {
            console.warn('using deprecated parameters for the initialization function; pass a single object instead')
        }
    }


    const imports = __wbg_get_imports();

    if (typeof module_or_path === 'string' || (typeof Request === 'function' && module_or_path instanceof Request) || (typeof URL === 'function' && module_or_path instanceof URL)) {
        module_or_path = fetch(module_or_path);
    }

    const { instance, module } = await __wbg_load(await module_or_path, imports);

    return __wbg_finalize_init(instance, module);
}

export { initSync, __wbg_init as default };
