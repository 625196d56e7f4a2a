/** What buttons and menus may hold, in characters. https://docs.discord.com/developers/components/reference */

/** The id of a component, and the value of a choice. */
export const MOST_PAYLOAD = 100;
export const MOST_ROWS = 5;
export const MOST_IN_A_ROW = 5;
export const MOST_IN_A_MENU = 25;
/** On a button. */
export const MOST_LABEL = 80;
/** Of a choice: its label and what stands below it. */
export const MOST_CHOICE = 100;
export const MOST_PLACEHOLDER = 150;
