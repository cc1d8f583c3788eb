import { lacksGo, lacksPython } from './examples.ts';
import type { WatchedExample } from './watched-example.ts';

/** The example servers, each with a source that breaks a rule by one edit. */
export const watchedExamples: Readonly<Record<string, WatchedExample>> = {
  go: {
    prepare: lacksGo,
    edited: {
      file: 'undertest/main.go',
      right: 'flag.String("break", "",',
      wrong: 'flag.String("break", "key",',
    },
    build: ['go', 'build', '-o', 'server', './undertest'],
    start: (port) => ['./server', '-addr', `127.0.0.1:${port}`],
  },
  python: {
    prepare: lacksPython,
    edited: {
      file: 'under_test/__main__.py',
      right: 'choices=broken.RULES,',
      wrong: 'choices=broken.RULES, default="idempotency",',
    },
    start: (port) => ['.venv/bin/python', '-m', 'under_test', '--port', String(port)],
  },
};
