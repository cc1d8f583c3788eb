import { describe, expect, it } from 'vitest';
import { pathOfPointer } from '../../../spec/calls/index.ts';
import { pathsOfRecords, recordsAlong, textOfPath } from '../../../harness/client/json-path.ts';

const author = { name: 'a' };
const message = { author, tags: ['x'] };
const body = { messages: [{}, message], 'a/b~c': { 0: 'zero' } };

describe('a path in a JSON value', () => {
  it('comes from a JSON Pointer', () => {
    expect(pathOfPointer('')).toEqual([]);
    expect(pathOfPointer('/messages/1/author')).toEqual(['messages', '1', 'author']);
    expect(pathOfPointer('/a~1b~0c')).toEqual(['a/b~c']);
  });

  it('reads as a programmer writes it', () => {
    expect(textOfPath(body, ['messages', '1', 'author', 'name'])).toBe('messages[1].author.name');
    expect(textOfPath(body, ['a/b~c', '0'])).toBe('["a/b~c"].0');
    expect(textOfPath(body, [])).toBe('');
  });

  it('cuts a long key', () => {
    expect(textOfPath({}, ['k'.repeat(10_000)])).toBe(`["${'k'.repeat(60)}…"]`);
  });

  it('leads through objects, as far as it leads anywhere', () => {
    const along = (...path: string[]) => recordsAlong(body, path).map((each) => each.path.join('/'));
    expect(along('messages', '1', 'author', 'name')).toEqual(['', 'messages/1', 'messages/1/author']);
    expect(along('messages', '7', 'author')).toEqual(['']);
    expect(along('toString', 'call')).toEqual(['']);
  });

  it('is known of every object', () => {
    const paths = pathsOfRecords(body);
    expect(paths.get(body)).toEqual([]);
    expect(paths.get(author)).toEqual(['messages', '1', 'author']);
    expect(paths.size).toBe(5);
  });
});
