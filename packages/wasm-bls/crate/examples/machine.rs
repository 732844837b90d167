//! What verifying takes on this machine without WebAssembly, as JSON: `npm run bench -- machine` runs it, and measures the
//! kernel beside.

use blst::*;
use std::ffi::c_long;

// SAFETY: this is clock() of the C library, which every program of Rust's standard library is linked with.
unsafe extern "C" {
    /// The process's own CPU time, microseconds: the machine may be shared.
    safe fn clock() -> c_long;
}

const DST: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
const KEYS: usize = 32_768;
const CLAIMS: usize = 64;
const ROUNDS: usize = 9;

/// Nanoseconds of one of `count` steps: the least of several rounds, for whatever else runs only adds.
fn least(count: usize, mut step: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = clock();
        step();
        best = best.min(1000.0 * (clock() - start) as f64);
    }
    best / count as f64
}

fn main() {
    let mut secret = blst_scalar::default();
    let mut message = blst_p2::default();
    let mut message_affine = blst_p2_affine::default();
    let mut signature = blst_p2::default();
    let mut bytes = [0; 96];
    let mut key = blst_p1::default();
    let mut keys = Vec::with_capacity(KEYS);
    // SAFETY: lengths are those of the arrays, the compressed signature's output has its 96 bytes, and every point and
    // scalar is a whole value of this function's; the library reads both operands of an addition before it writes.
    unsafe {
        blst_keygen(&mut secret, [7; 32].as_ptr(), 32, core::ptr::null(), 0);
        let none = core::ptr::null();
        blst_hash_to_g2(&mut message, [7; 32].as_ptr(), 32, DST.as_ptr(), DST.len(), none, 0);
        blst_p2_to_affine(&mut message_affine, &message);
        blst_sign_pk_in_g1(&mut signature, &message, &secret);
        blst_p2_compress(bytes.as_mut_ptr(), &signature);
        blst_sk_to_pk_in_g1(&mut key, &secret);
        for _ in 0..KEYS {
            keys.push(key);
            let sum: *const blst_p1 = &key;
            blst_p1_add_or_double_affine(&mut key, sum, &BLS12_381_G1);
        }
    }
    let keys = p1_affines::from(keys.as_slice()).as_slice().to_vec();
    let pointers: Vec<*const blst_p1_affine> = keys.iter().map(|key| key as *const _).collect();

    // SAFETY: the library reads both operands before it writes, so the sum may be one of them.
    let naive_ns = least(KEYS, || unsafe {
        let mut sum = blst_p1::default();
        for key in &keys {
            let augend: *const blst_p1 = &sum;
            blst_p1_add_or_double_affine(&mut sum, augend, key);
        }
        std::hint::black_box(&sum);
    });
    // SAFETY: as many pointers as are said, each to a key that outlives the call.
    let batched_ns = least(KEYS, || unsafe {
        let mut sum = blst_p1::default();
        blst_p1s_add(&mut sum, pointers.as_ptr(), pointers.len());
        std::hint::black_box(&sum);
    });
    // SAFETY: the encoding has 96 bytes, and the point is a whole value of the closure's.
    let read = || unsafe {
        let mut point = blst_p2_affine::default();
        assert_eq!(blst_p2_uncompress(&mut point, bytes.as_ptr()), BLST_ERROR::BLST_SUCCESS);
        assert!(blst_p2_affine_in_g2(&point));
        point
    };
    // SAFETY: two pointers in each list, each to a point that outlives the call and is not infinity.
    let agree = |key: &blst_p1_affine, signature: &blst_p2_affine| unsafe {
        let mut product = blst_fp12::default();
        let mut power = blst_fp12::default();
        let g2: [*const blst_p2_affine; 2] = [&message_affine, signature];
        let g1: [*const blst_p1_affine; 2] = [key, &BLS12_381_NEG_G1];
        blst_miller_loop_n(&mut product, g2.as_ptr(), g1.as_ptr(), 2);
        blst_final_exp(&mut power, &product);
        blst_fp12_is_one(&power)
    };
    let single_ns = least(CLAIMS, || {
        for _ in 0..CLAIMS {
            assert!(agree(&keys[0], &read()));
        }
    });
    let coefficients = vec![0x5a; 8 * CLAIMS];
    // SAFETY: references to whole values of the closure's, the one read and the other written.
    let together_ns = least(CLAIMS, || unsafe {
        let signatures: Vec<blst_p2_affine> = (0..CLAIMS).map(|_| read()).collect();
        let of = vec![keys[0]; CLAIMS];
        let key = of.as_slice().mult(&coefficients, 64);
        let signature = signatures.as_slice().mult(&coefficients, 64);
        let mut key_affine = blst_p1_affine::default();
        let mut signature_affine = blst_p2_affine::default();
        blst_p1_to_affine(&mut key_affine, &key);
        blst_p2_to_affine(&mut signature_affine, &signature);
        assert!(agree(&key_affine, &signature_affine));
    });
    println!(
        "{{\"naiveNs\":{naive_ns},\"batchedNs\":{batched_ns},\"singleMs\":{},\"togetherMs\":{}}}",
        single_ns / 1e6,
        together_ns / 1e6
    );
}
