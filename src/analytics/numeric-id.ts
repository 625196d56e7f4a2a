/** Ids in paths (§4.1), as text: some are long. */
import { z } from 'zod';

const digits = z.string().regex(/^\d{1,18}$/u, 'a whole number');

export const numericId = z.union([z.int().min(0).transform(String), z.string().trim().pipe(digits)]);

/** Shown as `MOV-123` (§4.10). */
export const movementId = z.union([
  z.int().min(0).transform(String),
  z
    .string()
    .trim()
    .transform((text) => text.replace(/^mov-/iu, ''))
    .pipe(digits),
]);
