/** The published domain of service accounts, which data from elsewhere has, and the installation's own. */
export function accountDomains(publicUrl: string): readonly string[] {
  return ['serviceaccounts.getport.io', `serviceaccounts.${new URL(publicUrl).hostname}`];
}
