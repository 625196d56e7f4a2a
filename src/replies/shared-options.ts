/** Options that several commands take. */
import { z } from 'zod';

export const projectOption = z.string().trim().min(1).describe('a project (symbol, name or slug)').meta({ complete: 'project' });

export const pageOption = z
  .string()
  .regex(/^[1-9]\d{0,3}$/)
  .default('1')
  .transform(Number)
  .describe('a page number, from 1');
