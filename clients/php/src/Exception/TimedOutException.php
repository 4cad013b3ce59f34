<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** There was no response in time. */
class TimedOutException extends ConnectionFailedException
{
}
