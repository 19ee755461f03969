"""Template families by kind; importing this package registers them all."""

from structce.corpora.synthetic.templates import announcements as announcements
from structce.corpora.synthetic.templates import articles as articles
from structce.corpora.synthetic.templates import authorities as authorities
from structce.corpora.synthetic.templates import blogs as blogs
from structce.corpora.synthetic.templates import broadcasts as broadcasts
from structce.corpora.synthetic.templates import companies as companies
from structce.corpora.synthetic.templates import conversations as conversations
from structce.corpora.synthetic.templates import features as features
from structce.corpora.synthetic.templates import forums as forums
from structce.corpora.synthetic.templates import live as live
from structce.corpora.synthetic.templates import manuals as manuals
from structce.corpora.synthetic.templates import partial as partial
from structce.corpora.synthetic.templates import questions as questions
from structce.corpora.synthetic.templates import reviews as reviews
from structce.corpora.synthetic.templates import shops as shops
from structce.corpora.synthetic.templates import wikis as wikis
