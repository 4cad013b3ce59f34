/** What a page of the site does besides being read. Each part works without the others. */
import { nameThisInstallation } from './addresses.ts';
import { offerCopies } from './copy.ts';
import { offerMenu } from './menu.ts';
import { followOldAddresses } from './old-addresses.ts';
import { offerSearch } from './search.ts';
import { offerTabs } from './tabs.ts';
import { offerThemes } from './themes.ts';

void followOldAddresses();
nameThisInstallation();
offerSearch();
offerThemes();
offerMenu();
offerTabs();
offerCopies();
