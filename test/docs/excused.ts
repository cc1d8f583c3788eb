import { type FencedLine, fencedLines } from './pages.ts';

/** Why a line is not run where the others are. */
interface Excuse {
  readonly page: RegExp;
  readonly line: RegExp;
  /** Where it is run, or what keeps it from being run at all. */
  readonly why: string;
}

const here = /^/;

/** The lines that another test types as they stand. */
export const typedElsewhere: readonly Excuse[] = [
  { page: /^examples\/(?:go|python)\//, line: here, why: 'test/examples types the page of each server' },
  { page: /container\.md$/, line: /^docker/, why: 'test/adapters/ci/container runs the steps of the image' },
  { page: /hooks\.md$/, line: /^#!|hooks\.py$/, why: 'test/docs/hooks runs the programs of the page' },
  { page: /library\.md$/, line: /^npm install/, why: 'test/package installs the tarball elsewhere' },
  { page: here, line: /^npm pack/, why: 'test/package packs it' },
  {
    page: /^examples\/(?:vitest|node-test|pytest|go-test)\//,
    line: here,
    why: 'test/package runs the example with the installed package',
  },
  { page: /histories\.md$/, line: /judge traffic\.har/, why: 'test/cli/one-stream judges recorded traffic' },
  { page: /selftest\/README/, line: /selftest/, why: 'test/selftest runs the self-test of single mutants' },
];

/** The lines that no test runs. */
export const excused: readonly Excuse[] = [
  { page: here, line: /host\.example|MY_TOKEN/, why: 'names a server and a token that only its reader has' },
  { page: here, line: /^npm ci\b/, why: 'installs from a registry; CI begins with it' },
  { page: here, line: /^npm run check$/, why: 'is what runs this test' },
  {
    page: here,
    line: /fuzz.*(?:--time \d+m|--cases \d{6})|^npm run fuzz +#/,
    why: 'takes a minute or longer; `fuzz` with fewer cases is run',
  },
  {
    page: /quick-start/,
    line: /doctor|--watch/,
    why: 'needs what its reader fills into the file of the line before; docs/hooks and docs/watch have the same lines',
  },
  {
    page: /chaos\.md/,
    line: /--base-url/,
    why: 'takes minutes: a whole run with trouble on its way, as test/suites/trouble-on-the-way has every night',
  },
  {
    page: /proxy\.md/,
    line: /proxy|judge/,
    why: 'goes on until somebody ends it, and leaves what is judged then; test/cli/proxy types the same',
  },
  { page: /stress\.md/, line: /./, why: 'takes a minute or longer; test/cli/stress runs it for seconds' },
  {
    page: /fuzz(?:-on-many-machines)?\.md/,
    line: /replay|merge/,
    why: 'works on what hours of the lines before it leave; test/cli/replay and test/fuzz have such files',
  },
];

/** Pages of lines that run the whole suite or a campaign, most of them: they are typed every night. */
export const nightlyPages = /^docs\/(?:ci|histories|quick-start|reports)\.md$/;

/** Every line by what becomes of it. */
export const linesBy = {
  elsewhere: fencedLines.filter((each) => isMeant(each, typedElsewhere)),
  excused: fencedLines.filter((each) => !isMeant(each, typedElsewhere) && isMeant(each, excused)),
  run: fencedLines.filter((each) => !isMeant(each, typedElsewhere) && !isMeant(each, excused)),
};

function isMeant({ page, line }: FencedLine, by: readonly Excuse[]): boolean {
  return by.some((excuse) => excuse.page.test(page) && excuse.line.test(line));
}
