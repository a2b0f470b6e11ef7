import { backstageSource } from './backstage/backstage.source-type.ts';
import { fileSource } from './file.source-type.ts';
import { azureSource } from './git/azure.source-type.ts';
import { bitbucketSource } from './git/bitbucket.source-type.ts';
import { giteaSource } from './git/gitea.source-type.ts';
import { gitHubSource } from './git/github.source-type.ts';
import { gitLabSource } from './git/gitlab.source-type.ts';
import type { SourceType } from './source-type.ts';

/** The kinds of sources that Portolan reads itself. */
export const nativeSourceTypes: readonly SourceType[] = [
  fileSource,
  backstageSource as unknown as SourceType,
  giteaSource as unknown as SourceType,
  gitHubSource as unknown as SourceType,
  gitLabSource as unknown as SourceType,
  bitbucketSource as unknown as SourceType,
  azureSource as unknown as SourceType,
];
