import { type BackstageServer, defaultBlueprints, defaultMapping } from '@portolan/backstage';
import { z } from 'zod';
import type { SourceType } from '../source-type.ts';
import { openBackstage } from './read-backstage.ts';

const settings = z.strictObject({
  address: z
    .url({ protocol: /^https?$/ })
    .describe('The address of the back end, such as https://backstage.example.com'),
});

/** A running Backstage, kept in step. Folders and repositories are imported by the command line. */
export const backstageSource: SourceType<typeof settings> = {
  type: 'backstage',
  title: 'Backstage',
  summary: 'Components, APIs, resources, systems, groups and users of a running Backstage, with owners and relations',
  section: 'catalog',
  settings,
  secrets: [{ name: 'token', title: 'Static token of backend.auth.externalAccess', required: false }],
  scheduleMinutes: 15,
  graceDays: 0,
  // Catalogs of Backstage are full of references to what nobody registered.
  missingTargets: 'omit',
  blueprints: defaultBlueprints as unknown as SourceType['blueprints'],
  defaultMapping,
  open: ({ address }, { token }, { fetch }) => {
    const server: BackstageServer = { address, token, fetch };
    return openBackstage(server);
  },
};
