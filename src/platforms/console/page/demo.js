// @ts-check
/** The banner while the data is invented, and the dialog with the steps to real data. */
import { need } from './dom.js';

const banner = need('demo', HTMLElement);
const dialog = need('demo-dialog', HTMLDialogElement);

/** @param {boolean} invented */
export function showDemo(invented) {
  banner.hidden = !invented;
}

need('demo-how', HTMLButtonElement).addEventListener('click', () => {
  dialog.showModal();
});
