// What a browser does with the page: search, filter, opening what a link leads to, copying, and ways through it by keyboard.
// Everything is in the page without it.
'use strict';

/** @typedef {{ element: HTMLElement, states: string[], level: string, text: string | undefined }} Item */

/**
 * @template {HTMLElement} E
 * @param {string} id
 * @param {{ new (): E }} kind
 */
function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${id}`);
  return element;
}

/**
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement[]}
 */
function all(selector, within = document) {
  return [...within.querySelectorAll(selector)].filter((each) => each instanceof HTMLElement);
}

const toolbar = byId('toolbar', HTMLElement);
const search = byId('text', HTMLInputElement);
const level = byId('level', HTMLSelectElement);
const matches = byId('matches', HTMLOutputElement);
/** @type {HTMLInputElement[]} */
const boxes = all('#toolbar [name=state]').filter((each) => each instanceof HTMLInputElement);

/** @type {Item[]} */
const items = all('.item').map((element) => ({
  element,
  states: (element.dataset['state'] ?? '').split(' '),
  level: element.dataset['level'] ?? '',
  text: undefined,
}));
const cells = all('.cell').filter((each) => each instanceof HTMLAnchorElement);
const folders = all('details.area, details.list').filter((each) => each instanceof HTMLDetailsElement);
const rows = all('.areas .row');
let isFiltered = false;

/** @param {HTMLAnchorElement} link */
function targetOf(link) {
  return document.getElementById(decodeURIComponent(link.hash.slice(1)));
}

/** Shows what has every word, one of the chosen verdicts, and the chosen level. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
  const wasFiltered = isFiltered;
  isFiltered = words.length > 0 || chosen.size > 0 || level.value !== '';
  let shown = 0;
  for (const item of items) {
    const isShown =
      (chosen.size === 0 || item.states.some((state) => chosen.has(state))) &&
      (level.value === '' || item.level === level.value) &&
      words.every((word) => (item.text ??= (item.element.textContent ?? '').toLowerCase()).includes(word));
    item.element.hidden = !isShown;
    if (isShown) shown += 1;
  }
  for (const cell of cells) {
    const item = cell.parentElement;
    if (item !== null) item.hidden = targetOf(cell)?.hidden === true;
  }
  for (const row of rows) row.hidden = all('li', row).every(({ hidden }) => hidden);
  for (const folder of folders) {
    folder.hidden = all('.item', folder).every(({ hidden }) => hidden);
    if (isFiltered) folder.open = true;
    else if (wasFiltered) folder.open = false;
  }
  matches.value = isFiltered ? `${shown} of ${items.length} entries` : '';
}

function clear() {
  search.value = '';
  level.value = '';
  for (const box of boxes) box.checked = false;
  filter();
}

/** Opens what a link leads to, and all that it is in. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  if (target.closest('[hidden]') !== null) clear();
  for (let each = /** @type {Element | null} */ (target); each !== null; each = each.parentElement)
    if (each instanceof HTMLDetailsElement) each.open = true;
  target.scrollIntoView();
}

/** @param {HTMLElement} button */
async function copy(button) {
  const command = button.previousElementSibling;
  if (command === null) return;
  const selection = getSelection();
  try {
    await navigator.clipboard.writeText(command.textContent ?? '');
    button.textContent = 'copied';
  } catch {
    // Not every browser lets a file do that: what is selected can be copied by hand.
    selection?.selectAllChildren(command);
    button.textContent = 'selected';
  }
  setTimeout(() => (button.textContent = 'copy'), 1500);
}

/** One stop of the tab key for each area of the matrix, arrows within. */
function rove() {
  for (const row of rows) all('.cell', row).forEach((cell, index) => (cell.tabIndex = index === 0 ? 0 : -1));
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} cell
 */
function step(event, cell) {
  const own = all('.cell', cell.closest('.row') ?? document).filter(
    (each) => each.closest('[hidden]') === null,
  );
  const at = own.indexOf(cell);
  /** @type {Record<string, number>} */
  const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: own.length - 1 };
  const next = own[places[event.key] ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

for (const box of boxes) {
  const count = items.filter(({ states }) => states.includes(box.value)).length;
  const label = box.closest('label');
  if (label !== null) label.hidden = count === 0;
}
for (const button of all('.copy')) button.hidden = false;
toolbar.hidden = false;
rove();

search.addEventListener('input', filter);
level.addEventListener('change', filter);
for (const box of boxes) box.addEventListener('change', filter);
byId('clear', HTMLButtonElement).addEventListener('click', clear);
addEventListener('hashchange', openTarget);
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.classList.contains('copy')) void copy(target);
  // A link to where the page is already changes nothing that would be told of.
  const link = target.closest('a');
  if (link !== null && link.hash !== '' && link.hash === location.hash) openTarget();
});
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (key === '/' && !isTyping) {
    event.preventDefault();
    search.focus();
  }
  if (key === 'Escape' && isFiltered) clear();
  if (target instanceof HTMLElement && target.classList.contains('cell')) step(event, target);
});
openTarget();
