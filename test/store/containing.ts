import { expect } from 'vitest';

/** `expect.stringContaining` without its `any`, for the message of a `toMatchObject`. */
export const containing = (text: string): unknown => expect.stringContaining(text);
