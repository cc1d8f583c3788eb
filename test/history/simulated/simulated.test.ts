// All that is asked of simulated histories stands in one test file, so that each history is made once.
import './conforming.ts';
import './mutants-are-found.ts';
import './lacking-pages.ts';
import './knowing-less.ts';
import './told-otherwise.ts';
