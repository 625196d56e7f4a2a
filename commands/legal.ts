/** /legal <project>: legal documents and entities of a project. */
import { z } from 'zod';
import { legalEntities, legals } from '../src/analytics/endpoints/project.js';
import { reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import {
  ages,
  brokenRows,
  commandActions,
  counted,
  dotted,
  line,
  missingText,
  needOne,
  optional,
  projectOption,
} from '../src/reply/index.js';
import { UNKNOWN } from '../src/domain/format.js';

export default defineCommand({
  name: 'legal',
  summary: 'Legal documents and entities of a project',
  args: z.object({ project: projectOption }),
  examples: ['/legal tide', '/legal "Heron Flats"'],
  phrases: {
    '/legal {project}': `legal documents of {project} | {project} legal | legal entity of {project} | is {project} a real company | where is {project}
      registered | {project} legal papers | company behind {project} | which company stands behind {project} | {project} operating
      agreement | incorporation of {project} | {project} legal docs | jurisdiction of {project} | terms and contracts of {project} |
      legal structure {project} | what entity runs {project}`,
  },

  async run({ project: text }, { analytics, directory, signal }) {
    const project = await directory.find(text, signal);
    const input = { slug: project.slug };
    const [entities, documents] = await Promise.all([
      optional(analytics.call(legalEntities, input, { signal })),
      optional(analytics.call(legals, input, { signal })),
    ]);
    needOne(entities, documents);
    const registered = entities.answer?.data.rows ?? [];
    const texts = documents.answer?.data.rows ?? [];
    return reply({
      finding: [
        {
          strong:
            entities.answer === undefined
              ? `${project.name}'s legal entities: ${missingText(entities)}`
              : registered.length === 0
                ? `${project.name}: no legal entities`
                : `${project.name}: ${counted(registered.length, 'legal entity', 'legal entities')}`,
        },
        documents.answer === undefined ? `; documents: ${missingText(documents)}` : `, ${counted(texts.length, 'legal document')}`,
      ],
      blocks: [
        {
          kind: 'list',
          items: registered.map((one) => ({
            line: [{ strong: one.name ?? 'unnamed' }],
            detail: dotted(one.entityType ?? `type ${UNKNOWN}`, `registered in ${one.jurisdiction ?? UNKNOWN}`),
          })),
        },
        ...texts.map((one) => line({ strong: one.name ?? 'unnamed document' }, `: ${one.url ?? 'no link'}`)),
        ...brokenRows((entities.answer?.data.broken ?? 0) + (documents.answer?.data.broken ?? 0)),
      ],
      actions: [...commandActions(project.slug, 'accounts', 'treasury', 'watch')],
      ...ages(entities.answer, documents.answer),
    });
  },
});
