import { azureCase } from './azure-fake.ts';
import { bitbucketCase } from './bitbucket-fake.ts';
import { giteaCase } from './gitea-fake.ts';
import { gitHubCase } from './github-fake.ts';
import { gitLabCase } from './gitlab-fake.ts';
import type { HostCase } from './host-case.ts';

/** Every Git host that can be a source. */
export const hostCases: readonly HostCase[] = [giteaCase, gitHubCase, gitLabCase, bitbucketCase, azureCase];
