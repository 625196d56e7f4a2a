// @ts-check
/** The file that goes with the next line: chosen beside the input, shown until it is sent or taken back. */
import { make, need } from './dom.js';

const choose = need('attach', HTMLButtonElement);
const chooser = need('file', HTMLInputElement);
const shown = need('attached', HTMLElement);
const trouble = need('trouble', HTMLElement);

/** The server takes no more either. */
const MAX_KB = 256;

/** @type {File | undefined} */
let file;

/** The file for the line that is being sent; none goes with the next one. */
export function takeFile() {
  const taken = file;
  putFile(undefined);
  return taken;
}

/** @param {File | undefined} chosen */
export function putFile(chosen) {
  file = chosen;
  shown.hidden = file === undefined;
  shown.replaceChildren();
  if (file === undefined) return;
  const remove = make('button', { text: '×' });
  remove.type = 'button';
  remove.ariaLabel = `Do not send ${file.name}`;
  remove.addEventListener('click', () => {
    putFile(undefined);
    choose.focus();
  });
  shown.append(make('bdi', { text: file.name }), make('span', { text: `${Math.ceil(file.size / 1024)} KB` }), remove);
}

choose.addEventListener('click', () => {
  chooser.click();
});
chooser.addEventListener('change', () => {
  const chosen = chooser.files?.[0];
  // The same file can be chosen again, after it was changed.
  chooser.value = '';
  if (chosen === undefined) return;
  const fits = chosen.size <= MAX_KB * 1024;
  trouble.textContent = fits ? '' : `${chosen.name} is larger than ${MAX_KB} KB. Split it and send the parts one after another.`;
  if (fits) putFile(chosen);
  need('line', HTMLInputElement).focus();
});
