import { Option } from 'commander';

/** The option by which a command prints what it comes to, and nothing else. */
export function quietOption(): Option {
  return new Option('--quiet', 'print the verdict alone, in one line, and errors');
}
