import { describe, expect, it } from 'vitest';
import { contentKinds } from '../../../../fuzz/stress/scene/plan.ts';
import { contentOf } from '../../../../fuzz/stress/scene/scene.ts';

describe('contentOf', () => {
  it.each(contentKinds)('makes a content of kind %s as long as asked for, marker first', (kind) => {
    for (const bytes of [100, 301, 5_000, 500_000]) {
      const content = contentOf('cs-1-2.', { kind, bytes });
      expect(content.startsWith('cs-1-2.')).toBe(true);
      expect(Buffer.byteLength(content)).toBe(bytes);
      expect(content).not.toMatch(/\p{Surrogate}/u);
      expect(content).not.toContain('\0');
    }
  });

  it('makes one of its kind that has room for its marker where less is asked for', () => {
    const contents = contentKinds.map((kind) => contentOf('cs-1-2.', { kind, bytes: 0 }));
    expect(new Set(contents).size).toBe(contentKinds.length);
  });
});
