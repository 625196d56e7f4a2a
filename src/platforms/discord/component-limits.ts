/** Characters of buttons and menus. https://docs.discord.com/developers/components/reference */

/** Of a component, and the value of a choice. */
export const MAX_PAYLOAD = 100;
export const MAX_ROWS = 5;
export const MAX_IN_A_ROW = 5;
export const MAX_IN_A_MENU = 25;
/** On a button. */
export const MAX_LABEL = 80;
/** Label and description. */
export const MAX_CHOICE = 100;
export const MAX_PLACEHOLDER = 150;
