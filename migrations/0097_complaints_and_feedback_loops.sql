-- Complaints beside what else became of deliveries. The version before, which may still run, counts none.
ALTER TABLE delivery_counts ADD COLUMN complained integer NOT NULL DEFAULT 0;

-- With which providers somebody has enrolled a domain, or an address that mail leaves from, so that they tell of complaints.
-- It is what people say: providers do not let it be asked.
CREATE TABLE feedback_loops (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations,
  loop            text COLLATE "C" NOT NULL,
  -- A domain of the organization; an address of the installation, which the organization that operates it keeps.
  subject         text COLLATE "C" NOT NULL,
  enrolled_at     timestamptz NOT NULL,
  enrolled_by     text NOT NULL,
  PRIMARY KEY (organization_id, loop, subject)
);
