<?php

declare(strict_types=1);

namespace Postrider;

use Postrider\Generated\Shapes;

/**
 * An organization for one test run, with a client for it. It is deleted automatically when its time is over.
 *
 * @phpstan-import-type ThrowAwayOrganization from Shapes
 */
final class ThrowAway
{
    /**
     * @param string $apiKey for the application under test
     * @param string $domain may be sent from
     * @param ThrowAwayOrganization $organization
     */
    public function __construct(
        public readonly Postrider $client,
        #[\SensitiveParameter]
        public readonly string $apiKey,
        public readonly string $domain,
        public readonly array $organization,
    ) {
    }

    public function delete(): void
    {
        $this->client->sandbox->deleteOrganization();
    }
}
