/** How providers report complaints to senders, and how a sender enrolls. Constants only. */

/** The enrolled subject: a signing or sending domain, or an address from which mail is sent. */
type LoopSubject = 'domain' | 'address';

export interface FeedbackLoop {
  readonly name: string;
  readonly title: string;
  /** The provider name in delivery counts. */
  readonly provider: string;
  readonly subject: LoopSubject;
  /** The page for enrolling. */
  readonly url: string;
  /** Whether reports arrive by mail, so that a working enrolment is detectable. */
  readonly sendsReports: boolean;
  /** `{fbl}`: the address for reports. `{subject}`: the enrolled domain or address. */
  readonly steps: readonly string[];
}

export const FEEDBACK_LOOPS: readonly FeedbackLoop[] = [
  {
    name: 'gmail_postmaster',
    title: 'Google Postmaster Tools',
    provider: 'google',
    subject: 'domain',
    url: 'https://postmaster.google.com/',
    sendsReports: false,
    steps: [
      'Sign in and add {subject}.',
      'Publish the TXT record that it shows, and let it verify the domain.',
      'Watch the spam rate there: it must stay below 0.1 %, and never reach 0.3 %. The rate is shown by day and by the parts of the header Feedback-ID, which Postrider sets: template, kind of mail, domain, organization.',
    ],
  },
  {
    name: 'yahoo_cfl',
    title: 'Yahoo Complaint Feedback Loop',
    provider: 'yahoo',
    subject: 'domain',
    url: 'https://senders.yahooinc.com/complaint-feedback-loop/',
    sendsReports: true,
    steps: [
      'Sign in to the Sender Hub and add {subject}: reports are about mail with a DKIM signature of it.',
      'Confirm the domain with the code that is sent to its postmaster address, or with the record that is shown.',
      'Give {fbl} as the address for reports.',
    ],
  },
  {
    name: 'microsoft_jmrp',
    title: 'Microsoft Junk Mail Reporting Program',
    provider: 'microsoft-consumer',
    subject: 'address',
    url: 'https://sendersupport.olc.protection.outlook.com/snds/JMRP.aspx',
    sendsReports: true,
    steps: [
      'Sign in with a Microsoft account, and ask for access to {subject}.',
      'Confirm it with the mail that is sent to the address that the network is registered with.',
      'Add a feed with {fbl} as the complaint address.',
    ],
  },
  {
    name: 'microsoft_snds',
    title: 'Microsoft Smart Network Data Services',
    provider: 'microsoft-consumer',
    subject: 'address',
    url: 'https://sendersupport.olc.protection.outlook.com/snds/',
    sendsReports: false,
    steps: [
      'Sign in with a Microsoft account, and ask for access to {subject}.',
      'Look at its colour there after a day with more than 100 mails: green is good, red means that more than 90 % was taken for spam.',
    ],
  },
];
