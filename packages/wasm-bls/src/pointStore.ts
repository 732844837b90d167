import { misuse, requireBytes, requireForm, requireList, requireObject, requireSome, shown } from './arguments.ts';
import type { PointStore, SignedMessage } from './bls.ts';
import {
  isFault,
  type KeptKey,
  type KeptPoint,
  type KeptSignature,
  type PointFault,
  type ReadPoint,
  type SignatureForm,
} from './points.ts';
import { drawCoefficients } from './round.ts';

/** A claim of verifyEach, with its points in the library's representation. */
interface OwnSignedMessage<Key, Signature> {
  readonly key: Key;
  readonly message: Uint8Array;
  readonly signature: Signature;
}

/**
 * Operations of a library on its stored points. `Key` and `Signature` are the library's representations of points. The
 * caller has checked the arguments.
 */
export interface PointOperations<Key, Signature> {
  readKey(bytes: Uint8Array): Key | PointFault;
  readSignature(bytes: Uint8Array, form: SignatureForm): Signature | PointFault;
  encodeKey(key: Key): Uint8Array;
  encodeSignature(signature: Signature, form: SignatureForm): Uint8Array;
  addSignatures(a: Signature, b: Signature): Signature;
  sumKeys(keys: readonly Key[]): Key;
  sumSignatures(signatures: readonly Signature[]): Signature;
  verify(key: Key, message: Uint8Array, signature: Signature): boolean;
  verifyEach(claims: readonly OwnSignedMessage<Key, Signature>[], coefficients: Uint8Array): boolean;
  releaseKey(key: Key): void;
  releaseSignature(signature: Signature): void;
}

/** Maximum capacity of a store. 2^20 signatures take 288 MiB of the kernel's memory (144 MiB with `min-sig`). */
const maxCapacity = 2 ** 20;

type PointKind = 'key' | 'signature';

/**
 * The points of a store. They do not reference the store, so that they can be released after the store has been
 * collected.
 */
class StoredPoints<Key, Signature> {
  readonly keys = new Set<Key>();
  readonly signatures = new Set<Signature>();
  /** Number of live handles. A library may represent two equal points by one object. */
  size = 0;

  constructor(readonly operations: PointOperations<Key, Signature>) {}

  clear(): void {
    this.size = 0;
    for (const key of this.keys) this.operations.releaseKey(key);
    for (const signature of this.signatures) this.operations.releaseSignature(signature);
    this.keys.clear();
    this.signatures.clear();
  }
}

/**
 * Releases the points of a store that was garbage-collected without a call to `free`. Runtimes without
 * FinalizationRegistry never release them.
 */
const collectedStores =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<{ clear(): void }>((points) => points.clear());

/** A stored point. The fields are private, so that no other object can be used as a handle of this store. */
class Handle<Of extends PointKind, Point> implements KeptPoint<Of> {
  readonly #kind: Of;
  #point: Point | undefined;
  /** Reference that prevents the collection of the store, and therefore the release of the point. */
  readonly #store: Store<unknown, unknown>;

  constructor(kind: Of, store: Store<unknown, unknown>, point: Point) {
    this.#kind = kind;
    this.#store = store;
    this.#point = point;
  }

  get kind(): Of {
    return this.#kind;
  }

  /** Returns the point of a live handle of the given kind, from this store or from any store with these operations. */
  static open(label: string, kind: PointKind, handle: unknown, of: object): unknown {
    if (!(typeof handle === 'object' && handle !== null && #point in handle))
      throw misuse(TypeError, label, `a kept ${kind}`, shown(handle));
    if (handle.#kind !== kind) throw misuse(TypeError, label, `a kept ${kind}`, `a kept ${handle.#kind}`);
    if (handle.#store !== of && handle.#store.operations !== of)
      throw misuse(RangeError, label, `a ${kind} of this store`, 'a point from another store');
    if (handle.#point === undefined || handle.#store.isFreed)
      throw misuse(RangeError, label, `a live ${kind}`, 'a released one');
    return handle.#point;
  }

  static close(handle: Handle<PointKind, unknown>): void {
    handle.#point = undefined;
  }
}

/** A store of one library's points. */
class Store<Key, Signature> implements PointStore {
  readonly capacity: number;
  readonly operations: PointOperations<Key, Signature>;
  readonly #points: StoredPoints<Key, Signature>;
  isFreed = false;

  constructor(operations: PointOperations<Key, Signature>, capacity: number) {
    this.capacity = capacity;
    this.operations = operations;
    this.#points = new StoredPoints(operations);
    collectedStores?.register(this, this.#points, this.#points);
  }

  get size(): number {
    return this.#points.size;
  }

  readKey(bytes: Uint8Array): ReadPoint<KeptKey> {
    requireBytes('bytes', bytes);
    this.#requireRoom();
    const key = this.operations.readKey(bytes);
    return isFault(key) ? { ok: false, code: key } : { ok: true, kept: this.#keepKey(key) };
  }

  readSignature(bytes: Uint8Array, form: SignatureForm = 'compressed'): ReadPoint<KeptSignature> {
    requireBytes('bytes', bytes);
    requireForm(form);
    this.#requireRoom();
    const signature = this.operations.readSignature(bytes, form);
    return isFault(signature) ? { ok: false, code: signature } : { ok: true, kept: this.#keepSignature(signature) };
  }

  addSignatures(a: KeptSignature, b: KeptSignature): KeptSignature {
    const [augend, addend] = [this.#signature('a', a), this.#signature('b', b)];
    this.#requireRoom();
    return this.#keepSignature(this.operations.addSignatures(augend, addend));
  }

  sumSignatures(signatures: readonly KeptSignature[]): KeptSignature {
    const points = this.#all('signatures', signatures, (label, signature) => this.#signature(label, signature));
    this.#requireRoom();
    return this.#keepSignature(this.operations.sumSignatures(points));
  }

  sumKeys(keys: readonly KeptKey[]): KeptKey {
    const points = this.#all('keys', keys, (label, key) => this.#key(label, key));
    this.#requireRoom();
    return this.#keepKey(this.operations.sumKeys(points));
  }

  encodeKey(key: KeptKey): Uint8Array {
    return this.operations.encodeKey(this.#key('key', key));
  }

  encodeSignature(signature: KeptSignature, form: SignatureForm = 'compressed'): Uint8Array {
    requireForm(form);
    return this.operations.encodeSignature(this.#signature('signature', signature), form);
  }

  verify(key: KeptKey, message: Uint8Array, signature: KeptSignature): boolean {
    requireBytes('message', message);
    return this.operations.verify(this.#key('key', key), message, this.#signature('signature', signature));
  }

  verifyEach(claims: readonly SignedMessage[]): boolean {
    requireList('claims', claims);
    this.#requireLive();
    // Unlike map(), Array.from() does not skip the holes of a list.
    const own = Array.from(claims, (claim, i) => {
      requireObject(`claims[${i}]`, claim);
      const { key, message, signature } = claim;
      requireBytes(`claims[${i}].message`, message);
      return {
        key: this.#key(`claims[${i}].key`, key),
        message,
        signature: this.#signature(`claims[${i}].signature`, signature),
      };
    });
    const [only] = own;
    if (only === undefined) return true;
    if (own.length === 1) return this.operations.verify(only.key, only.message, only.signature);
    return this.operations.verifyEach(own, drawCoefficients(own.length));
  }

  release(kept: KeptKey | KeptSignature): void {
    if (kept?.kind === 'key') {
      const key = this.#key('kept', kept);
      this.#points.keys.delete(key);
      this.operations.releaseKey(key);
    } else {
      const signature = this.#signature('kept', kept);
      this.#points.signatures.delete(signature);
      this.operations.releaseSignature(signature);
    }
    Handle.close(kept as Handle<PointKind, unknown>);
    this.#points.size--;
  }

  free(): void {
    if (this.isFreed) return;
    this.isFreed = true;
    collectedStores?.unregister(this.#points);
    this.#points.clear();
  }

  #key(label: string, handle: KeptKey): Key {
    return Handle.open(label, 'key', handle, this) as Key;
  }

  #signature(label: string, handle: KeptSignature): Signature {
    return Handle.open(label, 'signature', handle, this) as Signature;
  }

  #all<Kept, Point>(label: string, list: readonly Kept[], point: (label: string, kept: Kept) => Point): Point[] {
    requireList(label, list);
    requireSome(label, list);
    return Array.from(list, (kept, i) => point(`${label}[${i}]`, kept));
  }

  #keepKey(key: Key): KeptKey {
    this.#points.keys.add(key);
    this.#points.size++;
    return new Handle('key', this, key);
  }

  #keepSignature(signature: Signature): KeptSignature {
    this.#points.signatures.add(signature);
    this.#points.size++;
    return new Handle('signature', this, signature);
  }

  #requireLive(): void {
    if (this.isFreed) throw misuse(RangeError, 'store', 'a live store', 'a freed one');
  }

  #requireRoom(): void {
    this.#requireLive();
    if (this.#points.size >= this.capacity)
      throw misuse(RangeError, 'store', `space for a point in addition to ${this.capacity}`, 'a full one');
  }
}

/** Creates a store of a library. All stores of the library share one object `operations`. */
export function pointStore<Key, Signature>(operations: PointOperations<Key, Signature>, capacity: number): PointStore {
  if (!Number.isSafeInteger(capacity) || capacity < 1 || capacity > maxCapacity)
    throw misuse(RangeError, 'capacity', `an integer in 1..${maxCapacity}`, shown(capacity));
  return new Store(operations, capacity);
}

/**
 * Returns a library's representation of a stored signature, from any of its stores.
 *
 * @throws TypeError for a value that is not a stored signature, RangeError for a signature that is from another library
 * or was released.
 */
export function keptSignature<Signature>(
  operations: PointOperations<never, Signature> | PointOperations<unknown, Signature>,
  label: string,
  handle: KeptSignature,
): Signature {
  return Handle.open(label, 'signature', handle, operations) as Signature;
}
