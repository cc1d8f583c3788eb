/** The 32-bit finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
export function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** A number of 32 bits that a seed and an index give, the same on every machine. */
export function hashOf(seed: number, index: number): number {
  return mixed(mixed(seed ^ 0x9e3779b9) + Math.imul(index, 0x9e3779b1)) >>> 0;
}
