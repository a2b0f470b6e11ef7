import { sources } from './sources.ts';
import type { DemoEntity } from './types.ts';

/** The last two are used by nothing: the next sync of the repositories would remove `moment`, which left with its last user. */
export const packages: DemoEntity[] = [
  thirdParty('maven:org.apache.logging.log4j/log4j-core', 'log4j-core', 'maven', '2.25.1', ['edi-bridge']),
  thirdParty('maven:com.fasterxml.jackson.core/jackson-databind', 'jackson-databind', 'maven', '2.19.2', [
    'customs-declarations',
    'sanctions-screening',
    'invoicing',
    'edi-bridge',
  ]),
  thirdParty('go:golang.org/x/crypto', 'x/crypto', 'go', '0.41.0', ['identity', 'route-planner', 'shipment-tracking']),
  thirdParty('go:golang.org/x/net', 'x/net', 'go', '0.43.0', ['rate-engine', 'shipment-tracking']),
  thirdParty('pypi:requests', 'requests', 'pypi', '2.32.5', ['eta+forecast', 'load-optimizer']),
  thirdParty('npm:lodash', 'lodash', 'npm', '4.17.21', ['customer-portal', 'notification-hub']),
  thirdParty('npm:moment', 'moment', 'npm', '2.30.1', []),
  // Reported by the licence scan in the pipelines, so a sync of the repositories must leave it alone.
  { ...thirdParty('npm:request', 'request', 'npm', '2.88.2', []), datasource: sources.pipeline },
];

const log4j = 'maven:org.apache.logging.log4j/log4j-core';
const jackson = 'maven:com.fasterxml.jackson.core/jackson-databind';

/** Public advisories with their public scores, so that the numbers can be looked up. */
export const vulnerabilities: DemoEntity[] = [
  advisory('CVE-2021-44228', 'Log4Shell: remote code by a logged text', log4j, 10, '2.15.0', '2021-12-10'),
  advisory('CVE-2021-45046', 'Incomplete fix of Log4Shell', log4j, 9, '2.16.0', '2021-12-14'),
  advisory('CVE-2021-45105', 'Endless recursion in lookups', log4j, 5.9, '2.17.0', '2021-12-18'),
  advisory('CVE-2021-44832', 'Remote code by a changed configuration', log4j, 6.6, '2.17.1', '2021-12-28'),
  advisory('CVE-2020-36518', 'Deeply nested objects exhaust the stack', jackson, 7.5, '2.13.2.1', '2022-03-11'),
  advisory('CVE-2022-42003', 'Unwrapped arrays exhaust resources', jackson, 7.5, '2.13.4.2', '2022-10-02'),
  advisory('CVE-2022-42004', 'Nested arrays exhaust resources', jackson, 7.5, '2.13.4', '2022-10-02'),
  advisory('CVE-2024-45337', 'SSH public key callback misused', 'go:golang.org/x/crypto', 9.1, '0.31.0', '2024-12-12'),
  advisory('CVE-2023-48795', 'Terrapin: SSH messages cut off', 'go:golang.org/x/crypto', 5.9, '0.17.0', '2023-12-18'),
  advisory('CVE-2023-44487', 'HTTP/2 rapid reset', 'go:golang.org/x/net', 7.5, '0.17.0', '2023-10-10'),
  advisory('CVE-2023-32681', 'Proxy credentials leak on redirect', 'pypi:requests', 6.1, '2.31.0', '2023-05-26'),
  advisory('CVE-2024-35195', 'Certificate check stays off for a session', 'pypi:requests', 5.6, '2.32.0', '2024-05-20'),
];

function thirdParty(
  identifier: string,
  title: string,
  ecosystem: string,
  latest: string,
  usedBy: string[],
): DemoEntity {
  return {
    blueprint: 'package',
    identifier,
    title,
    properties: { ecosystem, latest },
    relations: { usedBy },
    datasource: sources.github,
  };
}

function advisory(
  identifier: string,
  title: string,
  affected: string,
  cvss: number,
  fixedIn: string,
  publishedOn: string,
): DemoEntity {
  return {
    blueprint: 'vulnerability',
    identifier,
    title,
    properties: { cvss, severity: severityOf(cvss), fixedIn, publishedAt: `${publishedOn}T00:00:00Z` },
    relations: { package: affected },
    datasource: sources.github,
  };
}

/** The rating scale of CVSS 3. */
function severityOf(cvss: number): string {
  if (cvss >= 9) return 'critical';
  if (cvss >= 7) return 'high';
  return cvss >= 4 ? 'medium' : 'low';
}
