import { z } from 'zod';

const name = z.string().min(1).max(200);
const globs = z.array(z.string().min(1).max(300)).max(50);

/** What every Git source is told, whatever its host. */
export const gitSettings = {
  owners: z
    .array(name)
    .max(100)
    .default([])
    .meta({ title: 'Organizations or users', description: 'None for all that the token sees.' }),
  archived: z.boolean().default(false).meta({ title: 'Also archived repositories' }),
  forks: z.boolean().default(false).meta({ title: 'Also forks' }),
  teams: z.boolean().default(true).meta({ title: 'Teams with their members' }),
  portFiles: globs.default(['**/port.yml', '**/port.yaml']).meta({
    title: 'Files that declare entities',
    description: 'Patterns of paths; an empty list reads none.',
  }),
  catalogInfo: globs.default([]).meta({
    title: 'Backstage files',
    description: 'Patterns of paths, such as **/catalog-info.yaml; an empty list reads none.',
  }),
  apiDefinitions: z.boolean().default(true).meta({ title: 'OpenAPI, AsyncAPI, GraphQL and Protocol Buffers files' }),
  folders: globs.default([]).meta({
    title: 'Folders',
    description: 'Patterns of folders that are items of their own, such as apps/* in a monorepo.',
  }),
  files: globs.default([]).meta({
    title: 'Files for expressions',
    description: 'Patterns of paths; their content stands in .files of a repository.',
  }),
  teamNames: z.record(name, name).default({}).meta({
    title: 'Teams by another name here',
    description: 'From the name in CODEOWNERS, such as @acme/payments, to the identifier of a team.',
  }),
};

const settings = z.object(gitSettings);
export type GitSettings = z.output<typeof settings>;
