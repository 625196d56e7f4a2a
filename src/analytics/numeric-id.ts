/** Numbers by which the service names an account, a counterparty or a movement in a path (§4.1). They are kept as text: some are long. */
import { z } from 'zod';

const digits = z.string().regex(/^\d{1,18}$/u, 'a whole number');

export const numericId = z.union([z.int().min(0).transform(String), z.string().trim().pipe(digits)]);

/** A movement is shown as `MOV-123`; the prefix is no part of its number (§4.10). */
export const movementId = z.union([
  z.int().min(0).transform(String),
  z
    .string()
    .trim()
    .transform((text) => text.replace(/^mov-/iu, ''))
    .pipe(digits),
]);
