<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** There was no response. The request may or may not have been executed. */
class ConnectionFailedException extends PostriderException
{
}
