# Asks the command line itself, once per shell: it knows the commands and options of this release.
eval "$(canopy completion bash)"
