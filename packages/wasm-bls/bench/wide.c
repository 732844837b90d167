/* What bench/wide.mjs asks of blst itself: to sign, and to verify from bytes. */
#include "blst.h"

static const byte message[5] = "tutti";
static const byte domain[] = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
static blst_scalar secret;
static byte key[48], signature[96];

static void sign_once(byte out[96])
{
    blst_p2 point;
    blst_hash_to_g2(&point, message, sizeof message, domain, sizeof domain - 1, 0, 0);
    blst_sign_pk_in_g1(&point, &point, &secret);
    blst_p2_compress(out, &point);
}

/* The first three bytes of the known signature. */
__attribute__((export_name("setup"))) int setup(void)
{
    byte bytes[32];
    blst_p1 point;
    for (int i = 0; i < 32; i++) bytes[i] = 1;
    blst_scalar_from_bendian(&secret, bytes);
    blst_sk_to_pk_in_g1(&point, &secret);
    blst_p1_compress(key, &point);
    sign_once(signature);
    return signature[0] << 16 | signature[1] << 8 | signature[2];
}

__attribute__((export_name("sign"))) void sign(int calls)
{
    byte out[96];
    while (calls-- > 0) sign_once(out);
}

__attribute__((export_name("verify"))) int verify(int calls)
{
    int valid = 1;
    while (calls-- > 0) {
        blst_p1_affine pk;
        blst_p2_affine sig;
        valid &= blst_p1_uncompress(&pk, key) == BLST_SUCCESS && blst_p1_affine_in_g1(&pk);
        valid &= blst_p2_uncompress(&sig, signature) == BLST_SUCCESS && blst_p2_affine_in_g2(&sig);
        valid &= blst_core_verify_pk_in_g1(&pk, &sig, 1, message, sizeof message, domain, sizeof domain - 1, 0, 0)
                 == BLST_SUCCESS;
    }
    return valid;
}
