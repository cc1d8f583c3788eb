import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StressScreen } from '../../../cli/stress/stress-screen.ts';
import { screen } from '../../reporters/screen.ts';

const erase = '\u001b[2K\u001b[1G';

describe('the screen of a stress run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('says on a terminal what is left, below lines that stay, and leaves no trace of it', () => {
    const out = screen({ columns: 80, isTTY: true });
    const stress = new StressScreen(out);
    stress.begin('8 clients', 60_000);
    vi.advanceTimersByTime(12_000);
    expect(out.written.at(-1)).toBe(`${erase}0:12  0:48 left  8 clients`);
    stress.say('chapter 1');
    expect(out.written.slice(-3)).toEqual([erase, 'chapter 1\n', `${erase}0:12  0:48 left  8 clients`]);
    vi.advanceTimersByTime(50_000);
    expect(out.written.at(-1)).toBe(`${erase}1:02  finishing  8 clients`);
    stress.stop();
    const { length } = out.written;
    vi.advanceTimersByTime(5_000);
    expect(out.written).toHaveLength(length);
    expect(out.written.at(-1)).toBe(erase);
  });

  it('fits into a narrow one', () => {
    const out = screen({ columns: 20, isTTY: true });
    const stress = new StressScreen(out);
    stress.begin('8 clients', 60_000);
    expect(out.written.at(-1)).toBe(`${erase}0:00  1:00 left  8…`);
    stress.stop();
  });

  it('says on a log its lines alone', () => {
    const out = screen({ isTTY: false });
    const stress = new StressScreen(out);
    stress.begin('8 clients', 60_000);
    vi.advanceTimersByTime(5_000);
    stress.say('chapter \u001b[2J');
    stress.stop();
    expect(out.written).toEqual(['chapter \\u001b[2J\n']);
  });
});
