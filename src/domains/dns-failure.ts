export function describeDnsFailure(name: string, code: string): string {
  switch (code) {
    case 'ETIMEOUT':
    case 'ETIMEDOUT':
      return `DNS did not answer in time for ${name}.`;
    case 'ESERVFAIL':
      return `DNS could not answer for ${name} (SERVFAIL): its name servers are failing or its DNSSEC is broken.`;
    case 'EREFUSED':
      return `DNS refused to answer for ${name}.`;
    default:
      return `DNS gave no usable answer for ${name} (${code}).`;
  }
}
